internal import Sessions
internal import SextantUnits

/// How a recording stores a process's identity: by `RecordWriter`, an absent text as an empty one.
extension PeerIdentity {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(userID)
        record.write(UInt16(clamping: groups.count))
        for group in groups.prefix(Int(UInt16.max)) { record.write(group) }
        record.write(unit ?? "")
        record.write(executable ?? "")
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> PeerIdentity? {
        var record = RecordReader(bytes)
        guard let userID = record.integer(UInt32.self), let count = record.integer(UInt16.self) else { return nil }
        var groups: [UInt32] = []
        for _ in 0..<count {
            guard let group = record.integer(UInt32.self) else { return nil }
            groups.append(group)
        }
        guard let unit = record.text(), let executable = record.text(), record.isAtEnd else { return nil }
        return PeerIdentity(
            userID: userID, groups: groups, unit: unit.isEmpty ? nil : unit,
            executable: executable.isEmpty ? nil : executable)
    }
}

extension DurableRow {
    func encode() -> [UInt8] {
        var record = RecordWriter()
        record.write(table.rawValue)
        record.write(client)
        record.write(name)
        record.write(raw: value)
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> DurableRow? {
        var record = RecordReader(bytes)
        guard let table = record.integer(UInt8.self).flatMap(DurableTable.init), let client = record.text(),
            let name = record.text()
        else { return nil }
        let head = 5 + client.utf8.count + name.utf8.count
        guard let value = record.raw(bytes.count - head) else { return nil }
        return DurableRow(table: table, client: client, name: name, value: Array(value))
    }
}
