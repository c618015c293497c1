struct StateKey: Hashable, Comparable {
    var table: StateTable
    var client: String
    var name: String

    static func < (one: StateKey, other: StateKey) -> Bool {
        (one.table.rawValue, one.client, one.name) < (other.table.rawValue, other.client, other.name)
    }

    /// Whether the row is a decision of the operator's: a client's authorization, whether location services are on, or
    /// whom the policy denies locations.
    var isDecision: Bool { table == .authorization || table == .settings && StateRow.decisions.contains(name) }
}

extension StateRow {
    /// The name of the row in `settings` that says whether location services are on.
    public static let servicesSwitch = "servicesEnabled"
    /// The name of the row in `settings` that says whom the operator's policy denies locations.
    public static let policy = "policy"
    fileprivate static let decisions = [servicesSwitch, policy]

    var key: StateKey { StateKey(table: table, client: client, name: name) }
}

extension StateChange {
    /// The key of the row that the change concerns; nil if the change concerns several rows.
    var key: StateKey? {
        switch self {
        case .put(let row): row.key
        case .remove(let table, let client, let name): StateKey(table: table, client: client, name: name)
        case .removeThrough, .erase: nil
        }
    }

    /// Whether the change concerns a single row, and this row is a decision of the operator's.
    public var isDecision: Bool { key?.isDecision ?? false }

    /// Whether the change's strings and value are short enough for the database.
    public var isWritable: Bool {
        if case .put(let row) = self { row.byteCount <= StateRow.maximumBytes } else { true }
    }

    /// The name of the client whose rows the change concerns.
    public var client: String {
        switch self {
        case .put(let row): row.client
        case .remove(_, let client, _), .removeThrough(_, let client, _), .erase(let client): client
        }
    }

    /// The size of the strings and the value in the change, in bytes.
    var byteCount: Int {
        switch self {
        case .put(let row): row.byteCount
        case .remove(_, let client, let name), .removeThrough(_, let client, let name):
            client.utf8.count + name.utf8.count
        case .erase(let client): client.utf8.count
        }
    }
}
