/// The other end of a connection.
public enum Peer: Sendable, Hashable {
    /// A process on this board, with the credentials that the kernel reports.
    case local(PeerCredentials)
    /// A host on the network, by its numeric IP address.
    case network(address: String)
}

/// A local peer's identity as the kernel reports it, not as the peer claims it.
public struct PeerCredentials: Sendable, Hashable {
    /// The user, group and process at the time of connecting (SO_PEERCRED, unix(7)).
    public var userID: UInt32
    public var groupID: UInt32
    public var processID: Int32
    /// The supplementary groups at the time of connecting (SO_PEERGROUPS).
    public var supplementaryGroupIDs: [UInt32]
    /// The systemd unit in which the process ran when the connection was accepted.
    ///
    /// Its form is `tracker.service`, or `user@1000.service/tracker.service` if a user's own systemd manager runs it.
    /// Nil if the process is in no unit, or had already ended.
    public var unit: String?
    /// The path of the process's executable when the connection was accepted.
    ///
    /// Nil if the process is another user's and the daemon is not root. Also nil if the program's file was replaced
    /// while the program runs; the path is known again when the program restarts.
    public var executable: String?
    /// The process's name when the connection was accepted, which any program can set; nil if the process had ended.
    public var command: String?

    public init(
        userID: UInt32, groupID: UInt32, processID: Int32, supplementaryGroupIDs: [UInt32] = [], unit: String? = nil,
        executable: String? = nil, command: String? = nil
    ) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
        self.supplementaryGroupIDs = supplementaryGroupIDs
        self.unit = unit
        self.executable = executable
        self.command = command
    }
}
