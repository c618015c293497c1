internal import SextantUnits

/// The decisions about clients, in a small file of their own beside the database.
///
/// It holds the rows that `StateKey.isDecision` names, so that they are known where the database cannot be used. The
/// file is replaced as a whole, and the new one is on the card when `write` returns: a reader finds the old file or the
/// new one, never a part of one.
struct DecisionFile {
    private let path: String
    private var rows: [StateKey: StateRow] = [:]
    /// Whether decisions were lost or cannot be read, so that a client without a row may have been denied.
    var isInDoubt = false {
        didSet { if isInDoubt != oldValue { isWritten = false } }
    }
    /// Whether the file on the card holds these decisions.
    private(set) var isWritten = false

    /// The greatest size that is read, in bytes: the decisions about some ten thousand clients.
    private static let maximumBytes = 1 << 20
    private static let head = Array("sextant decisions 1\n".utf8)

    init(directory: String) { path = directory + "/state.decisions" }

    /// The decisions, by table, client and name.
    var sorted: [StateRow] { rows.keys.sorted().compactMap { rows[$0] } }

    // MARK: Reading

    /// Reads the file.
    ///
    /// - Returns: False where there is no file.
    mutating func read() throws(StoreError) -> Bool {
        // One byte more than may be there shows that a file is too long.
        guard let bytes = try StoreFile.read(path, upTo: DecisionFile.maximumBytes + 1) else { return false }
        guard let (rows, isInDoubt) = DecisionFile.decode(bytes) else {
            throw StoreError(.noDecisions, path: path)
        }
        (self.rows, self.isInDoubt) = (rows, isInDoubt)
        isWritten = true
        return true
    }

    private static func decode(_ bytes: [UInt8]) -> (rows: [StateKey: StateRow], isInDoubt: Bool)? {
        guard bytes.count <= maximumBytes, bytes.starts(with: head), bytes.count >= head.count + 9 else { return nil }
        let body = Array(bytes.dropLast(4))
        var check = RecordReader(Array(bytes.suffix(4)).span)
        guard check.integer(UInt32.self) == CRC32.of(body.span) else { return nil }
        var record = RecordReader(Array(body.dropFirst(head.count)).span)
        guard let doubt = record.integer(UInt8.self), let count = record.integer(UInt32.self) else { return nil }
        var rows: [StateKey: StateRow] = [:]
        for _ in 0..<count {
            guard let row = StateRow(from: &record) else { return nil }
            rows[row.key] = row
        }
        return record.isAtEnd ? (rows, doubt != 0) : nil
    }

    // MARK: Changing

    /// Takes decisions from elsewhere, but those that it has already.
    mutating func add(_ others: [StateRow]) {
        for row in others where rows[row.key] == nil {
            rows[row.key] = row
            isWritten = false
        }
    }

    /// Makes those of the changes that concern decisions, and writes the file where there are any.
    ///
    /// This is `file` in the model authorization.pml.
    mutating func apply(_ changes: [StateChange]) throws(StoreError) {
        let old = rows
        for change in changes { rows.make(change) }
        if rows != old { isWritten = false }
        guard !isWritten, changes.contains(where: \.concernsDecisions) else { return }
        try write()
    }

    /// Writes the file anew.
    mutating func write() throws(StoreError) {
        var record = RecordWriter()
        record.write(raw: DecisionFile.head)
        record.write((isInDoubt ? 1 : 0) as UInt8)
        record.write(UInt32(rows.count))
        for row in sorted { row.write(to: &record) }
        record.write(CRC32.of(record.bytes.span))
        try StoreFile.replace(path, by: record.bytes)
        isWritten = true
    }
}

extension StateRow {
    fileprivate func write(to record: inout RecordWriter) {
        record.write(table.rawValue)
        record.write(client)
        record.write(name)
        record.write(UInt32(value.count))
        record.write(raw: value)
    }

    fileprivate init?(from record: inout RecordReader) {
        guard let table = record.integer(UInt8.self).flatMap(StateTable.init), let client = record.text(),
            let name = record.text(), let count = record.integer(UInt32.self), let value = record.raw(Int(count))
        else { return nil }
        self.init(table: table, client: client, name: name, value: Array(value))
    }
}

extension StateChange {
    fileprivate var concernsDecisions: Bool {
        if case .erase = self { return true }
        return key?.isDecision ?? false
    }
}

extension [StateKey: StateRow] {
    /// Makes a change, where it concerns decisions.
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
