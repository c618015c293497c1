/// Who is at the other end.
public enum Peer: Sendable, Hashable {
    /// A process on this board, as the kernel vouches for it (SO_PEERCRED, at the time it connected).
    case local(PeerCredentials)
    /// A numeric IP address.
    case network(address: String)
}

/// What the kernel knows of a local peer.
public struct PeerCredentials: Sendable, Hashable {
    public var userID: UInt32
    public var groupID: UInt32
    public var processID: Int32

    public init(userID: UInt32, groupID: UInt32, processID: Int32) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
    }
}
