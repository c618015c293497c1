import CSextantLinux
import Glibc
public import SextantReactor

/// The process at the other end of a TCP connection, as far as the kernel tells.
///
/// TCP has no SO_PEERCRED. The kernel's table of connections (`/proc/net/tcp`, proc_pid_net(5)) names the user of each
/// socket of this board. Which of that user's processes holds the socket can be seen only with the right to look into
/// these processes.
public enum TCPPeer: Sendable, Equatable {
    /// A process of another host or in another network namespace; or no table of connections could be read.
    case unknown
    /// A process of this board that closed its socket before its owner could be found.
    case gone
    /// The owner of a socket of this board.
    case owner(PortOwner)
}

/// The owner of the other end of a TCP connection on this board.
public struct PortOwner: Sendable, Hashable {
    public var userID: UInt32
    /// The socket's inode number, by which it is found among the open files of processes.
    var inode: UInt64
}

/// A process that could have made a TCP connection.
public struct PortProcess: Sendable, Hashable {
    public var userID: UInt32
    public var groupIDs: [UInt32] = []
    /// The systemd unit, as in `PeerCredentials`.
    public var unit: String?
    /// The path of the executable, as in `PeerCredentials`.
    public var executable: String?
}

extension TCPPeer {
    /// The folders of the kernel's connection tables: for the network namespace of process 1, and for the daemon's own.
    ///
    /// Both are mostly the same namespace. If the daemon has no network, systemd opens the gpsd port in the namespace
    /// of process 1.
    private static let networks = ["/proc/1/net", "/proc/self/net"]
    /// The largest number of reads of the tables: the kernel can skip a row while other rows come and go.
    private static let attempts = 3

    /// Asks the kernel for the owner of a connection's other end.
    init(connectedTo socket: Int32) {
        guard let ends = ConnectionEnds(of: socket) else {
            self = .gone
            return
        }
        for _ in 0..<TCPPeer.attempts {
            if let found = TCPPeer.look(for: ends) {
                self = found
                return
            }
        }
        self = .gone
    }

    /// Looks for a connection's ends in the tables of one network namespace after the other; nil if the other end is on
    /// this board but in no table.
    private static func look(for ends: ConnectionEnds) -> TCPPeer? {
        var isUnread = false
        for network in networks {
            guard let rows = ConnectionTable.rows(of: ends, in: network) else {
                isUnread = true
                continue
            }
            // The namespace whose table has the daemon's own end is the one in which the connection is.
            guard rows.hasOwn else { continue }
            guard let other = rows.other else { return ends.isOnBoard ? nil : .unknown }
            // A socket that its process has closed has no inode any more, and is listed as root's.
            return other.inode == 0 ? .gone : .owner(PortOwner(userID: other.userID, inode: other.inode))
        }
        return ends.isOnBoard && !isUnread ? nil : .unknown
    }
}

extension TCPPeer {
    /// The users that listen on this board at the address to which this process connected; empty if no table names one.
    ///
    /// The row of the connection's other end cannot be used: until the listener accepts the connection, the kernel
    /// lists this row as root's.
    public static func listeners(at connection: borrowing Descriptor) -> Set<UInt32> {
        guard let ends = connection.withRawValue({ ConnectionEnds(of: $0) }) else { return [] }
        let (address, port) = (ends.other.prefix { $0 != ":" }, ends.other.suffix(4))
        var tables = ["/proc/self/net/tcp6": address.count > 8 ? [address] : ["0000000000000000FFFF0000" + address]]
        if address.count == 8 { tables["/proc/self/net/tcp"] = [address] }
        var users: Set<UInt32> = []
        for (path, addresses) in tables {
            let any = Substring(String(repeating: "0", count: addresses[0].count))
            let wanted = (addresses + [any]).map { "\($0):\(port) \(any):0000 " }
            for row in ConnectionTable.rows(in: path, of: wanted) ?? [] {
                if let row { users.insert(row.userID) }
            }
        }
        return users
    }
}

/// Both ends of a TCP connection, written as in the kernel's table of connections (`/proc/net/tcp`).
private struct ConnectionEnds {
    let own: String
    let other: String
    /// The inode number of the daemon's own end.
    let inode: UInt64

    /// Reads the ends of a connected socket; nil if it is no longer connected.
    init?(of socket: Int32) {
        var (own, other) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 64))
        var status = stat()
        // Safety: the C function writes zero-terminated strings of at most 64 bytes; the kernel fills one `stat`.
        guard unsafe clinux_tcp_ends(socket, &own, &other, 64) == 0, unsafe fstat(socket, &status) == 0 else {
            return nil
        }
        let texts = [own, other].map { text in
            String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        }
        (self.own, self.other, inode) = (texts[0], texts[1], UInt64(status.st_ino))
    }

    /// Whether the other end's address is on this board: loopback, or the same address as the daemon's own end.
    var isOnBoard: Bool {
        let (address, own) = (other.prefix { $0 != ":" }, own.prefix { $0 != ":" })
        return address == own || address.count == 8 && address.hasSuffix("7F")
            || address == "00000000000000000000000001000000"
    }
}

/// The rows of a connection's two ends in the kernel's tables of one network namespace.
private struct ConnectionTable {
    var hasOwn = false
    var other: Row?

    private var isWhole: Bool { hasOwn && other != nil }

    /// Finds the rows of both ends of a connection; nil if a table cannot be read.
    static func rows(of ends: ConnectionEnds, in network: String) -> ConnectionTable? {
        var table = ConnectionTable()
        let isVersion6 = ends.own.utf8.count > 13
        guard isVersion6 || table.search("\(network)/tcp", ends, prefix: "") else { return nil }
        if table.isWhole { return table }
        // A kernel without IPv6 has no `tcp6` table.
        let hasMore = table.search("\(network)/tcp6", ends, prefix: isVersion6 ? "" : "0000000000000000FFFF0000")
        return isVersion6 && !hasMore ? nil : table
    }

    /// Looks for the rows of both ends in one table.
    ///
    /// - Parameter prefix: The text that the IPv6 table writes before an IPv4 address.
    /// - Returns: Whether the table could be read.
    private mutating func search(_ path: String, _ ends: ConnectionEnds, prefix: String) -> Bool {
        let wanted = [
            "\(prefix)\(ends.own) \(prefix)\(ends.other) ", "\(prefix)\(ends.other) \(prefix)\(ends.own) ",
        ]
        guard let found = ConnectionTable.rows(in: path, of: wanted) else { return false }
        hasOwn = hasOwn || found[0]?.inode == ends.inode
        other = other ?? found[1]
        return true
    }

    /// For each wanted pair of addresses, the first row of the table with this pair; nil if the table cannot be read.
    static func rows(in path: String, of wanted: [String]) -> [Row?]? {
        guard let file = try? Descriptor(opening: path, flags: O_RDONLY) else { return nil }
        let wanted = wanted.map { Array($0.utf8) }
        var found = [Row?](repeating: nil, count: wanted.count)
        var lines = LineAssembler(separators: .newline, limit: 512)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while found.contains(where: { $0 == nil }), case .bytes(let count) = file.read(into: &buffer) {
            lines.push(buffer.span.extracting(first: count)) { _, line in
                for index in wanted.indices { found[index] = found[index] ?? Row(line, ends: wanted[index]) }
            }
        }
        return found
    }

    struct Row {
        var userID: UInt32
        var inode: UInt64

        /// Reads a row; nil if the row belongs to another connection.
        ///
        /// - Parameter ends: Both addresses in the order in which this socket's row has them.
        fileprivate init?(_ line: Span<UInt8>, ends: [UInt8]) {
            // The row's number comes before the addresses, as in "  12: ".
            guard let colon = line.indices.first(where: { line[$0] == UInt8(ascii: ":") }),
                line.count > colon + 2 + ends.count,
                ends.indices.allSatisfy({ line[colon + 2 + $0] == ends[$0] })
            else { return nil }
            let rest = (colon + 2 + ends.count..<line.count).map { line[$0] }
            // The fields after the addresses are: state, queues, timer, retransmissions, user, timeout, inode.
            let fields = String(decoding: rest, as: UTF8.self).split(separator: " ")
            guard fields.count > 6, let userID = UInt32(fields[4]), let inode = UInt64(fields[6]) else { return nil }
            (self.userID, self.inode) = (userID, inode)
        }
    }
}
