public import Access
public import SextantSockets

extension PeerIdentity {
    /// Takes what the kernel says about the process at the other end of a connection.
    public init(_ credentials: PeerCredentials) {
        let others = credentials.supplementaryGroupIDs.filter { $0 != credentials.groupID }
        self.init(
            userID: credentials.userID, groups: [credentials.groupID] + others, unit: credentials.unit,
            executable: credentials.executable, command: credentials.command)
    }

    /// Takes what the kernel says about a process that could be at the other end of a TCP connection.
    public init(_ process: PortProcess) {
        self.init(
            userID: process.userID, groups: process.groupIDs, unit: process.unit, executable: process.executable)
    }
}
