internal import Access
public import Parts
public import SextantUnits

/// How a flight recording stores the identities of processes; an absent text is stored as an empty one.
///
/// In the last identity of the list, a `command` that is nil is not stored at all, so that recordings from before
/// `command` existed can be read.
struct PeerIdentities: Recorded {
    static var blank: PeerIdentities { PeerIdentities(list: []) }

    var list: [PeerIdentity]

    mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var index = 0
        while record.hasMore(index < list.count) {
            if index == list.count { list.append(PeerIdentity(userID: 0)) }
            try record.code(&list[index].userID)
            try record.code(&list[index].groups, count: UInt16.self)
            try record.code(&list[index].unit)
            try record.code(&list[index].executable)
            let hasCommand = index < list.count - 1 || list[index].command != nil
            if record.hasMore(hasCommand) { try record.code(&list[index].command) }
            index += 1
        }
    }
}

extension DurableRow: Recorded {
    public static var blank: DurableRow { DurableRow(table: .settings, client: "", name: "", value: []) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&table)
        try record.code(&client)
        try record.code(&name)
        try record.code(rest: &value)
    }
}
