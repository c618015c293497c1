internal import Glibc
internal import Store

/// `store-writer DIRECTORY [COUNT]`: writes COUNT transactions, or endlessly many, to a database, until a test kills
/// it.
///
/// It prints a line for each step: `opened N`, `applied N`, or `failed KIND`, after which it ends. Transaction N sets
/// the setting `count` to N, adds the N % 5 + 1 events `N.0`, `N.1`… and removes the events of transaction N - 20; a
/// value depends only on its name. Every third transaction also appends a point of the track, and every fiftieth erases
/// a client.
@main
enum StoreWriter {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else { exit(64) }
        let count = arguments.count > 2 ? Int(arguments[2]) ?? 0 : Int.max
        do throws(StoreError) {
            var database = try Database(folder: arguments[1])
            if let recovery = database.recovery { tell("failed \(recovery)") }
            var last = try self.last(of: database)
            tell("opened \(last)")
            for _ in 0..<count {
                last += 1
                try database.apply(changes(last))
                tell("applied \(last)")
                guard last % 3 == 0 else { continue }
                try database.append(
                    track: [TrackPoint(time: Int64(last) * 1_000_000_000, latitude: 52, longitude: 13)], .eventually)
            }
        } catch {
            tell("failed \(error.kind)")
        }
    }

    private static func last(of database: borrowing Database) throws(StoreError) -> Int {
        let row = try database.rows().first { $0.table == .settings && $0.name == "count" }
        return row.flatMap { Int(String(decoding: $0.value, as: UTF8.self)) } ?? 0
    }

    private static func changes(_ number: Int) -> [StateChange] {
        var changes = names(number).map { name in
            StateChange.put(StateRow(table: .events, client: "a", name: name, value: value(of: name)))
        }
        changes += names(number - 20).map { StateChange.remove(.events, client: "a", name: $0) }
        if number % 50 == 0 { changes.append(.erase(client: "b")) }
        changes.append(.put(StateRow(table: .sessions, client: "b", name: "last", value: value(of: "\(number)"))))
        changes.append(.put(StateRow(table: .settings, client: "", name: "count", value: Array("\(number)".utf8))))
        return changes
    }

    private static func names(_ number: Int) -> [String] {
        number > 0 ? (0...number % 5).map { "\(number).\($0)" } : []
    }

    private static func value(of name: String) -> [UInt8] {
        let seed = name.utf8.reduce(UInt8(0)) { $0 &* 31 &+ $1 }
        return [UInt8](repeating: seed, count: Int(seed) * 20)
    }

    private static func tell(_ line: String) {
        var text = line + "\n"
        // Safety: the bytes live until the call returns; it does not matter if the reader is gone.
        text.withUTF8 { _ = unsafe write(1, $0.baseAddress, $0.count) }
    }
}
