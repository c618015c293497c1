internal import Parts
internal import Store

extension StateChange {
    init(_ change: DurableChange) {
        self =
            switch change {
            case .put(let row):
                .put(
                    StateRow(
                        table: StateTable(row.table), client: row.client, name: row.name, value: row.value))
            case .remove(let table, let client, let name):
                .remove(StateTable(table), client: client, name: name)
            case .erase(let client): .erase(client: client)
            }
    }
}

extension DeferredKey {
    /// The key of a client's deferred fixes, as text; their stored rows have it in place of the client's name.
    var text: String {
        let user = userID.map { String($0) } ?? ""
        return "\(user):\(String(client, radix: 16)):\(String(label, radix: 16)):\(session)"
    }

    /// The name of the row of a deferred fix; the names have the same order as the fixes' sequence numbers.
    static func name(_ sequence: UInt64) -> String {
        let digits = String(sequence, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}

extension StateTable {
    init(_ table: DurableTable) {
        self =
            switch table {
            case .settings: .settings
            case .authorization: .authorization
            case .registrations: .registrations
            case .events: .events
            case .sessions: .sessions
            case .visits: .visits
            }
    }
}

extension DurableRow {
    /// The form in which the Engine (the daemon's logic) gets a stored row; nil if the Engine does not use the row's
    /// table.
    init?(_ row: StateRow) {
        guard let table = DurableTable(rawValue: row.table.rawValue) else { return nil }
        self.init(table: table, client: row.client, name: row.name, value: row.value)
    }
}
