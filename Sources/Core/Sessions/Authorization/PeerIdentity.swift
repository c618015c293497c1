/// Who a connection's process is, by the kernel's word alone.
public struct PeerIdentity: Sendable, Equatable {
    public var userID: UInt32
    /// Every group that it is in.
    public var groups: [UInt32]
    /// The systemd unit of its cgroup; nil where it has none.
    public var unit: String?
    /// Nil where the daemon may not read it.
    public var executable: String?

    public init(userID: UInt32, groups: [UInt32] = [], unit: String? = nil, executable: String? = nil) {
        self.userID = userID
        self.groups = groups
        self.unit = unit
        self.executable = executable
    }

    /// What an operator reads of a process that no manifest speaks of.
    public var printableName: String {
        if let unit { return "unit \(unit)" }
        guard let executable else { return "user \(userID)" }
        return "user \(userID), \(executable)"
    }
}
