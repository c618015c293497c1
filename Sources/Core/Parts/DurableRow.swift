/// One row of the store: a value that must survive a restart of the daemon and a power cut.
public struct DurableRow: Sendable, Equatable {
    public var table: DurableTable
    /// The name of the client that the row belongs to; empty where it belongs to no client.
    public var client: String
    /// The row's name, unique among the client's rows in the same table.
    public var name: String
    public var value: [UInt8]

    public init(table: DurableTable, client: String, name: String, value: [UInt8]) {
        self.table = table
        self.client = client
        self.name = name
        self.value = value
    }
}

/// The store's tables, one for each kind of row.
public enum DurableTable: UInt8, Sendable, CaseIterable {
    case settings = 1
    case authorization = 2
    case registrations = 3
    case events = 4
    case sessions = 5
    case visits = 7

    /// The table's name in the store and in messages.
    public var name: StaticString {
        switch self {
        case .settings: "settings"
        case .authorization: "authorization"
        case .registrations: "registrations"
        case .events: "events"
        case .sessions: "sessions"
        case .visits: "visits"
        }
    }
}

/// A change to the store.
public enum DurableChange: Sendable, Equatable {
    case put(DurableRow)
    case remove(DurableTable, client: String, name: String)
    /// Removes all rows of a client.
    case erase(client: String)
}

extension Turn {
    public mutating func put(_ table: DurableTable, _ client: String, _ name: String, _ value: [UInt8]) {
        actions.append(.store(.put(DurableRow(table: table, client: client, name: name, value: value))))
    }

    public mutating func remove(_ table: DurableTable, _ client: String, _ name: String) {
        actions.append(.store(.remove(table, client: client, name: name)))
    }
}
