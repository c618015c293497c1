import Glibc
import SextantReactor

/// The search for the processes that could have made a TCP connection on this board, done in slices.
///
/// A user can have hundreds of processes with thousands of open files. A position fix that arrives during the search
/// waits for at most one slice: some milliseconds, also on a Raspberry Pi Zero 2 W.
///
/// Which process holds a socket can be seen only by root and by the process's own user. A daemon that runs as another
/// user must assume that any of that user's processes could be the one.
public struct PortSearch: Sendable {
    public enum Finding: Sendable, Equatable {
        /// The search is not finished: call `advance` again.
        case unfinished
        /// The processes that could have made the connection, without duplicates; at least one.
        case found([PortProcess])
        /// The search has no result: the user has too many processes, no visible process (as with `hidepid=`), or keeps
        /// starting processes.
        ///
        /// A process that was not examined could belong to a client that was denied access.
        case hidden
    }

    /// The largest number of a user's processes that are examined; for root there is no limit, since no other user can
    /// start processes of root.
    ///
    /// A full desktop has some 400 processes.
    public static let maximumProcesses = 512
    /// The largest number of open files, over all of a user's processes, that are searched; the processes of a full
    /// desktop have about as many open.
    private static let maximumFiles = 16_384
    /// The largest number of times that the board's processes are listed.
    ///
    /// A single list would miss a process that has just got the socket from another process, which has then ended.
    private static let maximumListings = 4
    /// The amount of work in one slice of the search, in steps: examining one open file is a step, about 2 µs on a PC.
    ///
    /// A slice takes about half a millisecond on a PC, and an estimated 5 ms on a Raspberry Pi Zero 2 W.
    private static let slice = 256
    /// The work of reading the facts about one process, in steps of about 2 µs on a PC.
    private static let factSteps = 24
    /// The work of listing the open files of one process, in steps of about 2 µs on a PC.
    private static let listSteps = 12

    /// The socket's name, as the kernel shows it among a process's open files: `socket:[INODE]`.
    private let socket: [UInt8]
    public let userID: UInt32
    private let maximumProcesses: Int
    private var listings = 0
    private var listed: Set<Int32> = []
    /// The number of the user's processes that were known when the board's processes were last listed.
    private var knownAtListing = 0
    private var unread: ArraySlice<Int32> = []
    /// The user's processes, each of which could hold the socket.
    private var owned: [OwnedProcess] = []
    /// The number of the user's processes whose open files were searched for the socket.
    private var searchedCount = 0
    /// The open files not yet examined of the process whose files are being searched; nil if its search has not begun.
    private var unreadFiles: ArraySlice<String>?
    /// The number of open files, over all processes, that can still be examined before the search's limit is reached.
    private var filesLeft: Int
    private var holders: [OwnedProcess] = []
    private var undescribed: ArraySlice<OwnedProcess>?
    private var processes: [PortProcess] = []

    public init(for owner: PortOwner) {
        self.init(for: owner, most: owner.userID == 0 ? .max : PortSearch.maximumProcesses)
    }

    init(for owner: PortOwner, most: Int) {
        socket = Array("socket:[\(owner.inode)]".utf8)
        (userID, maximumProcesses) = (owner.userID, most)
        // If the daemon runs neither as root nor as this user, no open file is examined: the kernel would refuse each
        // attempt, and each attempt takes time.
        filesLeft = [0, owner.userID].contains(geteuid()) ? PortSearch.maximumFiles : 0
    }

    /// Does one more slice of the search.
    public mutating func advance() -> Finding { advance(steps: PortSearch.slice) }

    /// - Parameter steps: The approximate amount of work: examining one open file is one step, and reading about one
    ///   process is several steps.
    mutating func advance(steps: Int) -> Finding {
        var left = steps
        while left > 0 {
            if let process = unread.popFirst() {
                left -= read(process)
                guard owned.count <= maximumProcesses else { return .hidden }
            } else if filesLeft > 0, searchedCount < owned.count {
                left -= searchFiles(atMost: left)
            } else if undescribed == nil, !isSettled {
                guard listings < PortSearch.maximumListings else { return .hidden }
                list()
                left -= 1
            } else {
                var rest = undescribed ?? (isSeen ? holders : owned)[...]
                guard let process = rest.popFirst() else { return processes.isEmpty ? .hidden : .found(processes) }
                undescribed = rest
                describe(process)
                left -= PortSearch.factSteps
            }
        }
        return .unfinished
    }

    /// Whether the processes that hold the socket are known.
    ///
    /// If the limit of open files was reached, any process of the user could hold the socket.
    private var isSeen: Bool { !holders.isEmpty && filesLeft > 0 }

    /// Whether the search can stop listing processes: the socket's holder is known, or the socket's owner has started
    /// no process since the last list.
    private var isSettled: Bool { isSeen || listings > 1 && owned.count == knownAtListing }

    private mutating func list() {
        let names = (try? FolderListing.names(in: "/proc")) ?? []
        unread = names.compactMap { Int32($0) }.filter { listed.insert($0).inserted }[...]
        knownAtListing = owned.count
        listings += 1
    }

    /// Finds out whether a process belongs to the user.
    ///
    /// A process does if any of its user IDs is the user's. If its effective user is neither the user nor root, the
    /// other IDs are not read. Root's processes are read, because a setuid program that the user starts can run as root
    /// for a while, with the user's connections.
    ///
    /// - Returns: The number of steps used.
    private mutating func read(_ process: Int32) -> Int {
        guard let effective = ProcessFacts.effectiveUser(of: process), [0, userID].contains(effective) else { return 1 }
        if let owner = ProcessFacts.owner(of: process), owner.users.contains(userID) {
            owned.append(OwnedProcess(number: process, groups: owner.groups))
        }
        return PortSearch.factSteps
    }

    /// Searches a process's open files for the socket.
    ///
    /// - Returns: The number of steps used.
    private mutating func searchFiles(atMost steps: Int) -> Int {
        let process = owned[searchedCount]
        var files = unreadFiles ?? ProcessFacts.openFiles(of: process.number, most: filesLeft)[...]
        let looked = files.prefix(steps)
        let isHolder = looked.contains { ProcessFacts.leads($0, of: process.number, to: socket) }
        if isHolder { holders.append(process) }
        files = files.dropFirst(looked.count)
        filesLeft -= looked.count
        unreadFiles = isHolder || files.isEmpty ? nil : files
        if unreadFiles == nil { searchedCount += 1 }
        return looked.count + PortSearch.listSteps
    }

    private mutating func describe(_ process: OwnedProcess) {
        let described = PortProcess(
            userID: userID, groupIDs: process.groups, unit: ProcessFacts.unit(of: process.number),
            executable: isSeen ? ProcessFacts.executable(of: process.number) : nil)
        if !processes.contains(described) { processes.append(described) }
    }
}

/// A process whose user is the owner of the socket.
private struct OwnedProcess {
    var number: Int32
    var groups: [UInt32]
}
