internal import Access
internal import Parts
internal import SextantUnits

/// How a recording stores the identities of processes: by `RecordWriter`, an absent text as an empty one.
///
/// The last one's `command` is left out where it has none, as in recordings that know no such name.
extension PeerIdentity {
    static func encode(_ identities: [PeerIdentity]) -> [UInt8] {
        var record = RecordWriter()
        for (place, identity) in identities.enumerated() {
            record.write(identity.userID)
            record.write(UInt16(clamping: identity.groups.count))
            for group in identity.groups.prefix(Int(UInt16.max)) { record.write(group) }
            record.write(identity.unit ?? "")
            record.write(identity.executable ?? "")
            if place < identities.count - 1 || identity.command != nil { record.write(identity.command ?? "") }
        }
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> [PeerIdentity]? {
        var record = RecordReader(bytes)
        var identities: [PeerIdentity] = []
        while !record.isAtEnd {
            guard let identity = PeerIdentity(from: &record) else { return nil }
            identities.append(identity)
        }
        return identities
    }

    private init?(from record: inout RecordReader) {
        guard let userID = record.integer(UInt32.self), let count = record.integer(UInt16.self) else { return nil }
        var groups: [UInt32] = []
        for _ in 0..<count {
            guard let group = record.integer(UInt32.self) else { return nil }
            groups.append(group)
        }
        guard let unit = record.text(), let executable = record.text(),
            let command = record.isAtEnd ? "" : record.text()
        else { return nil }
        self.init(
            userID: userID, groups: groups, unit: unit.isEmpty ? nil : unit,
            executable: executable.isEmpty ? nil : executable, command: command.isEmpty ? nil : command)
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
