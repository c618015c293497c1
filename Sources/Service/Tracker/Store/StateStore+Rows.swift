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
    /// The key as text, which is stored as the client's name of its rows.
    var text: String {
        let user = userID.map { String($0) } ?? ""
        return "\(user):\(String(client, radix: 16)):\(String(label, radix: 16)):\(session)"
    }

    /// The name of a row; the order of names is the order of their sequence numbers.
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
    /// The Engine's form of a stored row; nil if the Engine does not use the row's table.
    init?(_ row: StateRow) {
        guard let table = DurableTable(rawValue: row.table.rawValue) else { return nil }
        self.init(table: table, client: row.client, name: row.name, value: row.value)
    }
}
