public import Sessions
public import Sockets

extension PeerIdentity {
    /// The kernel's word on a connection's process.
    public init(_ credentials: PeerCredentials) {
        let others = credentials.supplementaryGroupIDs.filter { $0 != credentials.groupID }
        self.init(
            userID: credentials.userID, groups: [credentials.groupID] + others, unit: credentials.unit,
            executable: credentials.executable)
    }
}
