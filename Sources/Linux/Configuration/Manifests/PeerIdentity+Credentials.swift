public import Access
public import SextantSockets

extension PeerIdentity {
    /// Identifies the process at the other end of a local connection by what the kernel says about it.
    public init(_ credentials: PeerCredentials) {
        let others = credentials.supplementaryGroupIDs.filter { $0 != credentials.groupID }
        self.init(
            userID: credentials.userID, groups: [credentials.groupID] + others, unit: credentials.unit,
            executable: credentials.executable, command: credentials.command)
    }

    /// Identifies a process that could be at the other end of a TCP connection by what the kernel says about it.
    public init(_ process: PortProcess) {
        self.init(
            userID: process.userID, groups: process.groupIDs, unit: process.unit, executable: process.executable)
    }
}
