internal import SextantUnits

/// The operator's decisions about clients, in a small file of their own beside the database.
///
/// It holds the rows that `StateKey.isDecision` selects, so that they are known even if the database cannot be used.
/// The file is replaced as a whole, and the new one is on the storage card when `write` returns: whoever reads it finds
/// the old file or the new file, never a part of one.
struct DecisionFile {
    private let path: String
    private var rows: [StateKey: StateRow] = [:]
    /// Whether decisions were lost or cannot be read, so that a client without a row may be one that the operator
    /// denied locations.
    var isInDoubt = false {
        didSet { if isInDoubt != oldValue { isWritten = false } }
    }
    /// Whether the file on the storage card has these decisions already.
    private(set) var isWritten = false

    /// The largest number of bytes that are read; it is enough for the decisions about some ten thousand clients.
    private static let maximumBytes = 1 << 20

    init(folder: String) { path = folder + "/state.decisions" }

    /// The operator's decisions, as rows sorted by table, client and name.
    var sorted: [StateRow] { rows.keys.sorted().compactMap { rows[$0] } }

    // MARK: Reading

    /// Reads the file.
    ///
    /// - Returns: Whether there is a file.
    mutating func read() throws(StoreError) -> Bool {
        // One byte more than the limit is read, to find out whether the file is too long.
        guard let bytes = try StoreFile.read(path, upTo: DecisionFile.maximumBytes + 1) else { return false }
        guard bytes.count <= DecisionFile.maximumBytes, let record = DecisionRecord.decode(bytes.span) else {
            throw StoreError(.noDecisions, path: path)
        }
        rows = Dictionary(record.rows.map { ($0.key, $0) }) { $1 }
        isInDoubt = record.isInDoubt
        isWritten = true
        return true
    }

    // MARK: Changing

    /// Adds decisions from the database, except for rows that the file already has.
    mutating func add(_ others: [StateRow]) {
        for row in others where rows[row.key] == nil {
            rows[row.key] = row
            isWritten = false
        }
    }

    /// Makes those of the changes that concern the operator's decisions; then writes the file, unless it already has
    /// these decisions.
    ///
    /// This is `file` in the Promela model authorization.pml.
    mutating func apply(_ changes: [StateChange]) throws(StoreError) {
        let old = rows
        for change in changes { rows.make(change) }
        if rows != old { isWritten = false }
        guard !isWritten, changes.contains(where: \.concernsDecisions) else { return }
        try write()
    }

    mutating func write() throws(StoreError) {
        try StoreFile.replace(path, by: DecisionRecord(isInDoubt: isInDoubt, rows: sorted).encode())
        isWritten = true
    }
}

/// The file's content: a line that names the format, whether decisions were lost, the number of rows (4 bytes,
/// little-endian), the rows, and the CRC-32 of everything before it.
private struct DecisionRecord: Recorded {
    var isInDoubt: Bool
    var rows: [StateRow]

    private static let head = Array("sextant decisions 1\n".utf8)

    static var blank: DecisionRecord { DecisionRecord(isInDoubt: false, rows: []) }

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var head = DecisionRecord.head
        try record.code(raw: &head, count: DecisionRecord.head.count)
        try record.check(head == DecisionRecord.head)
        try record.code(&isInDoubt)
        try record.code(&rows, count: UInt32.self, blank: StateRow(table: .settings, client: "", name: "", value: [])) {
            (row, record) throws(DamagedRecord) in
            try row.code(&record)
        }
        try record.codeCheck()
    }
}

extension StateRow {
    fileprivate mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&table)
        try record.code(&client)
        try record.code(&name)
        try record.code(block: &value, count: UInt32.self)
    }
}

extension StateChange {
    fileprivate var concernsDecisions: Bool {
        if case .erase = self { return true }
        return key?.isDecision ?? false
    }
}

extension [StateKey: StateRow] {
    /// Makes a change if it concerns a decision of the operator's, and ignores any other change.
    fileprivate mutating func make(_ change: StateChange) {
        switch change {
        case .put(let row): if row.key.isDecision { self[row.key] = row }
        case .remove(let table, let client, let name):
            self[StateKey(table: table, client: client, name: name)] = nil
        case .erase(let client): self = filter { $0.key.client != client }
        case .removeThrough: break
        }
    }
}
