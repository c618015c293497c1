import CSextantLinux
import Glibc

extension Peer {
    /// Asks the kernel who is at the other end of a connected socket; nil if the kernel does not tell.
    init?(connectedTo socket: Int32) {
        if let credentials = PeerCredentials(connectedTo: socket) {
            self = .local(credentials)
        } else if let address = Peer.networkAddress(connectedTo: socket) {
            self = .network(address: address)
        } else {
            return nil
        }
    }

    private static func networkAddress(connectedTo socket: Int32) -> String? {
        var text = [CChar](repeating: 0, count: 64)
        // Safety: the C function writes a zero-terminated string of at most the buffer's count.
        let result = unsafe text.withUnsafeMutableBufferPointer {
            unsafe clinux_tcp_peer(socket, $0.baseAddress, $0.count)
        }
        guard result == 0 else { return nil }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension PeerCredentials {
    /// Reads the credentials of the process at the other end of a Unix socket; nil for any other socket, or if the
    /// kernel gives no process number.
    fileprivate init?(connectedTo socket: Int32) {
        var (user, group, process): (uid_t, gid_t, pid_t) = (0, 0, 0)
        // Safety: the C function writes the three numbers, which outlive the call.
        guard unsafe clinux_unix_peer(socket, &user, &group, &process) == 0, process != 0 else { return nil }
        let facts = ProcessFacts(of: process, connectedAs: socket)
        self.init(
            userID: user, groupID: group, processID: process,
            supplementaryGroupIDs: PeerCredentials.supplementaryGroups(connectedTo: socket), unit: facts.unit,
            executable: facts.executable, command: facts.command)
    }

    /// The peer's supplementary groups, at most 65536 (NGROUPS_MAX); empty if the kernel does not report them.
    private static func supplementaryGroups(connectedTo socket: Int32) -> [UInt32] {
        for capacity in [64, 65_536] {
            var groups = [UInt32](repeating: 0, count: capacity)
            // Safety: the C function writes no more than the buffer's count.
            let count = unsafe groups.withUnsafeMutableBufferPointer {
                unsafe clinux_unix_peer_groups(socket, $0.baseAddress, $0.count)
            }
            if count >= 0 { return Array(groups[..<count]) }
            guard count == -Int(ERANGE) else { return [] }
        }
        return []
    }
}
