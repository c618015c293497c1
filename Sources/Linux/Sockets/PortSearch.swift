import Glibc
import SextantReactor

/// The search for the processes that may have made a TCP connection on this board, in slices.
///
/// A user may have hundreds of processes, and these thousands of open files. A fix that comes meanwhile waits for a slice:
/// some milliseconds, on a Raspberry Pi Zero 2 W too.
///
/// Only root and the user itself may see which process holds a socket; for others it may be any of the user's.
public struct PortSearch: Sendable {
    public enum Finding: Sendable, Equatable {
        /// There is more to look at.
        case unfinished
        /// The processes of which one made the connection, without doubles; at least one.
        case found([PortProcess])
        /// The user has too many processes, none that may be seen, as with `hidepid=`, or starts new ones all the time: one
        /// that was not looked at may be one that was denied.
        case hidden
    }

    /// The most processes of one user that are looked at, root's excepted, of which other users start none.
    ///
    /// A full desktop has some 400.
    public static let mostProcesses = 512
    /// The open files, of all of a user's processes, among which the socket is looked for: a full desktop's.
    private static let mostFiles = 16_384
    /// How often the board's processes are listed.
    ///
    /// A process that hands its socket to a new one, and ends, would escape the first list.
    private static let mostListings = 4
    /// The steps of a slice, of about 2 µs each: about half a millisecond of a PC's processor, and 5 ms of a Raspberry Pi
    /// Zero 2 W's by reckoning.
    private static let slice = 256
    /// The steps that it takes to read a process's facts, and to list what it has open.
    private static let factSteps = 24
    private static let listSteps = 12

    /// The socket, as the kernel writes it among what a process has open.
    private let socket: [UInt8]
    public let userID: UInt32
    private let mostProcesses: Int
    private var listings = 0
    private var listed: Set<Int32> = []
    /// The user's processes that were known when the list was made last.
    private var knownAtListing = 0
    private var unread: ArraySlice<Int32> = []
    /// The user's processes, those that may hold the socket among them.
    private var owned: [OwnedProcess] = []
    /// How many of the user's processes were searched for the socket.
    private var searchedCount = 0
    /// What the process that is being searched has open and was not looked at; nil where it was not begun.
    private var unreadFiles: ArraySlice<String>?
    /// How many open files may still be looked at.
    private var filesLeft: Int
    private var holders: [OwnedProcess] = []
    private var undescribed: ArraySlice<OwnedProcess>?
    private var processes: [PortProcess] = []

    public init(for owner: PortOwner) {
        self.init(for: owner, most: owner.userID == 0 ? .max : PortSearch.mostProcesses)
    }

    init(for owner: PortOwner, most: Int) {
        socket = Array("socket:[\(owner.inode)]".utf8)
        (userID, mostProcesses) = (owner.userID, most)
        // For others the kernel refuses each of the folders, which takes time too.
        filesLeft = [0, owner.userID].contains(geteuid()) ? PortSearch.mostFiles : 0
    }

    /// Looks at the next slice.
    public mutating func advance() -> Finding { advance(steps: PortSearch.slice) }

    /// - Parameter steps: About how much is looked at: an open file is a step, and a process some more.
    mutating func advance(steps: Int) -> Finding {
        var left = steps
        while left > 0 {
            if let process = unread.popFirst() {
                left -= read(process)
                guard owned.count <= mostProcesses else { return .hidden }
            } else if searchedCount < owned.count {
                left -= searchFiles(atMost: left)
            } else if undescribed == nil, !isSettled {
                guard listings < PortSearch.mostListings else { return .hidden }
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

    /// Whether the processes are known that hold the socket.
    ///
    /// With files that were not looked at, any process of the user may.
    private var isSeen: Bool { !holders.isEmpty && filesLeft > 0 }

    /// Whether nothing more need be listed: the holder is known, or the user has started no process since the last listing.
    private var isSettled: Bool { isSeen || listings > 1 && owned.count == knownAtListing }

    private mutating func list() {
        let names = (try? FolderListing.names(in: "/proc")) ?? []
        unread = names.compactMap { Int32($0) }.filter { listed.insert($0).inserted }[...]
        knownAtListing = owned.count
        listings += 1
    }

    /// Finds out whether a process is the user's.
    ///
    /// A process is a user's by any of its user numbers. Only the folder's owner, its effective user, is looked at of
    /// those that are neither that user's nor root's: a program of root's that any user may start runs as root for a
    /// while, with that user's connections.
    ///
    /// - Returns: The steps that it took.
    private mutating func read(_ process: Int32) -> Int {
        guard let effective = ProcessFacts.effectiveUser(of: process), [0, userID].contains(effective) else { return 1 }
        if let owner = ProcessFacts.owner(of: process), owner.users.contains(userID) {
            owned.append(OwnedProcess(number: process, groups: owner.groups))
        }
        return PortSearch.factSteps
    }

    /// Looks for the socket among what a process has open.
    ///
    /// - Returns: The steps that it took.
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

/// A process of the user whose socket is looked for.
private struct OwnedProcess {
    var number: Int32
    var groups: [UInt32]
}
