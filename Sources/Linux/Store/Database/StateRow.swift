/// A table of what is kept for clients; its raw value is for ever.
public enum StateTable: UInt8, Sendable, CaseIterable {
    case settings = 1
    case authorization = 2
    case registrations = 3
    case events = 4
    case sessions = 5
    case learned = 6
    case visits = 7
    case deferred = 8

    /// The version of the file from which on it is there.
    var firstVersion: Int {
        switch self {
        case .settings, .authorization, .registrations, .events, .sessions, .learned: 1
        case .visits: 2
        case .deferred: 3
        }
    }

    /// Its name in the file.
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

/// One thing kept for a client; table, client and name are its key.
public struct StateRow: Sendable, Hashable {
    public var table: StateTable
    public var client: String
    public var name: String
    public var value: [UInt8]

    /// The most that client, name and value may have together, in bytes.
    public static let maximumBytes = 1_048_576

    public init(table: StateTable, client: String, name: String, value: [UInt8]) {
        self.table = table
        self.client = client
        self.name = name
        self.value = value
    }

    var byteCount: Int { client.utf8.count + name.utf8.count + value.count }
}

/// A change to what is kept.
public enum StateChange: Sendable, Hashable {
    /// Keeps a row; one with the same key is replaced.
    case put(StateRow)
    /// Forgets a row; one that is not there is no error.
    case remove(StateTable, client: String, name: String)
    /// Forgets a client's rows of one table up to a name, this one included; names are compared byte by byte.
    case removeThrough(StateTable, client: String, name: String)
    /// Forgets all of a client's rows, and wipes them from the files.
    case erase(client: String)
}

/// What one table has of a client.
public struct StateSummary: Sendable, Hashable {
    public var table: StateTable
    public var count: Int
    /// The bytes of its names and values.
    public var bytes: Int

    public init(table: StateTable, count: Int, bytes: Int) {
        self.table = table
        self.count = count
        self.bytes = bytes
    }
}
