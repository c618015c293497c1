/// The number of a client's connection, which is never used again while the daemon runs.
public struct ClientID: Sendable, Hashable {
    public var rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }
}

/// Which protocol a client speaks: the daemon's own, or gpsd's.
public enum ClientKind: UInt8, Sendable, Equatable {
    case local = 0
    case gpsd = 1
}
