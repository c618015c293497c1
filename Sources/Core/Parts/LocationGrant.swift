/// How exactly a client may see the board's position.
public enum LocationGrant: UInt8, Sendable, Comparable {
    case none
    /// The middle of a coarse cell in place of the position.
    case reduced
    case full

    public static func < (left: LocationGrant, right: LocationGrant) -> Bool { left.rawValue < right.rawValue }
}

/// How exactly a session that watches locations may know the place now.
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
