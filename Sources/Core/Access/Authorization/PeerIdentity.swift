/// The identity of the process at the other end of a connection, as the kernel reports it.
public struct PeerIdentity: Sendable, Equatable {
    public var userID: UInt32
    /// Every group that the process is in.
    public var groups: [UInt32]
    /// The systemd unit of the process's cgroup; nil if the process is in no unit.
    public var unit: String?
    /// The path of the process's program; nil if the daemon may not read it.
    public var executable: String?
    /// The process's name as the kernel shows it; a program can choose this name itself.
    public var command: String?

    public init(
        userID: UInt32, groups: [UInt32] = [], unit: String? = nil, executable: String? = nil, command: String? = nil
    ) {
        self.userID = userID
        self.groups = groups
        self.unit = unit
        self.executable = executable
        self.command = command
    }

    /// A text by which an operator recognizes a process that no manifest matches.
    public var printableName: String {
        if let unit { return "unit \(unit)" }
        guard let executable else { return "user \(userID)" }
        return "user \(userID), \(executable)"
    }
}
