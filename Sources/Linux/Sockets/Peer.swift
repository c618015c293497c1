/// The other end of a connection.
public enum Peer: Sendable, Hashable {
    /// A process on this board, as the kernel vouches for it.
    case local(PeerCredentials)
    /// A numeric IP address.
    case network(address: String)
}

/// A local peer's identity as the kernel reports it, not as the peer claims it.
public struct PeerCredentials: Sendable, Hashable {
    /// User, group and process when it connected (SO_PEERCRED, unix(7)).
    public var userID: UInt32
    public var groupID: UInt32
    public var processID: Int32
    /// Its supplementary groups when it connected (SO_PEERGROUPS).
    public var supplementaryGroupIDs: [UInt32]
    /// The systemd unit it ran in when the connection was taken: `tracker.service`, or
    /// `user@1000.service/tracker.service` where a user's own manager runs it.
    ///
    /// Nil where it is in none, or had already ended.
    public var unit: String?
    /// The path of its executable when the connection was taken.
    ///
    /// Nil where it is another user's and the daemon is not root, and where the path leads to another file by now: a
    /// program that is replaced while it runs is known again when it is started again.
    public var executable: String?

    public init(
        userID: UInt32, groupID: UInt32, processID: Int32, supplementaryGroupIDs: [UInt32] = [], unit: String? = nil,
        executable: String? = nil
    ) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
        self.supplementaryGroupIDs = supplementaryGroupIDs
        self.unit = unit
        self.executable = executable
    }
}
