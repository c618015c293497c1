/// How exactly a client is allowed to see the board's position.
public enum LocationGrant: UInt8, Sendable, Comparable {
    case none
    /// Only the middle of a grid cell of about 5 km.
    case reduced
    case full

    public static func < (left: LocationGrant, right: LocationGrant) -> Bool { left.rawValue < right.rawValue }
}

/// How exactly a client's location session is allowed to see the board's position now.
public struct SessionGrant: Equatable {
    public let connection: ClientID
    public let session: UInt8
    public let grant: LocationGrant

    public init(connection: ClientID, session: UInt8, grant: LocationGrant) {
        self.connection = connection
        self.session = session
        self.grant = grant
    }
}
