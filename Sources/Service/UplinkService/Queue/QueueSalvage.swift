internal import SextantJSON
internal import SextantSQLite
internal import Store

/// Copies the readable records from a queue's damaged database file into a new file.
///
/// The records before the damage are read forwards, and those after it backwards. The damaged file is not changed.
struct QueueSalvage {
    private let old: Connection
    private let new: Connection
    private let path: String
    private var count = 0

    /// Copies the records into a new file, with the same numbers and the same series (the identifier of the queue's
    /// numbering).
    ///
    /// - Parameter boot: The kernel's identifier of this boot; uptimes are valid only within one boot.
    /// - Returns: The number of copied records; 0 if the series cannot be read.
    static func run(_ path: String, into new: Connection, _ boot: String) throws(StoreError) -> Int {
        guard let old = try? Connection(path, .readWrite) else { return 0 }
        old.leavesLogOnClose(true)
        try? old.execute("PRAGMA locking_mode = EXCLUSIVE")
        var salvage = QueueSalvage(old: old, new: new, path: path)
        try new.transaction { () throws(StoreError) in try salvage.copy(boot) }
        return salvage.count
    }

    private init(old: Connection, new: Connection, path: String) {
        (self.old, self.new, self.path) = (old, new, path)
    }

    private mutating func copy(_ boot: String) throws(StoreError) {
        var state: [(key: String, value: Int64)] = []
        try? old.each("SELECT key, value FROM state WHERE key IN ('series', 'next', 'newestFix', 'retained')") {
            state.append(($0.text(0) ?? "", $0.integer(1)))
        }
        guard state.contains(where: { $0.key == "series" }) else { return }
        for (key, value) in state {
            try new.run("INSERT OR REPLACE INTO state VALUES(?, ?)", [.text(key), .integer(value)])
        }
        var known: [Int64] = []
        try? old.each("SELECT event FROM known ORDER BY position") { known.append($0.integer(0)) }
        for event in known { try new.run("INSERT INTO known(event) VALUES(?)", [.integer(event)]) }
        let boots = "SELECT count(*) FROM state WHERE key = 'boot' AND value = ?"
        let isThisBoot = (try? old.integer(boots, [.text(boot)])) == 1
        let last = try copyRecords(after: .min, "number", isThisBoot)
        _ = try copyRecords(after: last, "number DESC", isThisBoot)
    }

    /// Copies records in the given order, and stops at the first one that cannot be read.
    ///
    /// - Returns: The number of the last record that was read.
    private mutating func copyRecords(
        after number: Int64, _ order: String, _ isThisBoot: Bool
    ) throws(StoreError) -> Int64 {
        let rows = "SELECT number, kind, time IS NULL, time, uptime IS NULL, uptime, body FROM record"
        var last = number
        do throws(StoreError) {
            try old.each("\(rows) WHERE number > ? ORDER BY \(order)", [.integer(number)]) { row throws(StoreError) in
                last = row.integer(0)
                // A record whose body is no JSON object is damaged too; the program that gets the records would refuse
                // a whole message with it.
                guard (0...1).contains(row.integer(1)), let body = row.blob(6),
                    case .object? = try? JSONValue(parsing: body)
                else { return }
                let time: SQLValue = row.integer(2) == 1 ? .null : .integer(row.integer(3))
                let uptime: SQLValue = row.integer(4) == 1 || !isThisBoot ? .null : .integer(row.integer(5))
                try new.run(
                    "INSERT OR REPLACE INTO record VALUES(?, ?, ?, ?, ?)",
                    [.integer(last), .integer(row.integer(1)), time, uptime, .blob(body)])
                count += 1
            }
        } catch {
            guard error.path == path else { throw error }
        }
        return last
    }
}
