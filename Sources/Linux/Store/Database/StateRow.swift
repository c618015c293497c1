/// A table of what is kept about clients; its raw value is stored, so it never changes.
public enum StateTable: UInt8, Sendable, CaseIterable {
    case settings = 1
    case authorization = 2
    case registrations = 3
    case events = 4
    case sessions = 5
    case learned = 6
    case visits = 7
    case deferred = 8

    /// The first version of the database file that has the table.
    var firstVersion: Int {
        switch self {
        case .settings, .authorization, .registrations, .events, .sessions, .learned: 1
        case .visits: 2
        case .deferred: 3
        }
    }

    var name: String {
        switch self {
        case .settings: "settings"
        case .authorization: "authorization"
        case .registrations: "registrations"
        case .events: "events"
        case .sessions: "sessions"
        case .learned: "learned"
        case .visits: "visits"
        case .deferred: "deferred"
        }
    }
}

/// A stored value of a client's; its key consists of table, client and name.
public struct StateRow: Sendable, Hashable {
    public var table: StateTable
    public var client: String
    public var name: String
    public var value: [UInt8]

    /// The largest size of client, name and value together, in bytes.
    public static let maximumBytes = 1_048_576

    public init(table: StateTable, client: String, name: String, value: [UInt8]) {
        self.table = table
        self.client = client
        self.name = name
        self.value = value
    }

    var byteCount: Int { client.utf8.count + name.utf8.count + value.count }
}

/// A change to the stored state.
public enum StateChange: Sendable, Hashable {
    /// Stores a row; a row with the same key is replaced.
    case put(StateRow)
    /// Deletes a row; a missing row is no error.
    case remove(StateTable, client: String, name: String)
    /// Deletes those rows of a client in one table whose names are equal to the given name or before it, in the order
    /// of the names' bytes.
    case removeThrough(StateTable, client: String, name: String)
    /// Deletes all of a client's rows, and overwrites their bytes in the files.
    case erase(client: String)
}

/// The number of a client's rows in one table, and their size.
public struct StateSummary: Sendable, Hashable {
    public var table: StateTable
    public var count: Int
    /// The size of the rows' names and values, in bytes.
    public var bytes: Int

    public init(table: StateTable, count: Int, bytes: Int) {
        self.table = table
        self.count = count
        self.bytes = bytes
    }
}
