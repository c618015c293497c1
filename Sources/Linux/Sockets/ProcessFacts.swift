import CSextantLinux
import Glibc
import SextantReactor
import SextantUnits

/// The facts in `/proc` about the process that connected, never about a later process with the same process number.
struct ProcessFacts {
    var unit: String?
    var executable: String?
    /// The process's name, of at most 15 bytes (proc_pid_comm(5)).
    var command: String?

    /// Reads the facts; all are nil if it is not certain that they are about the process that connected, for example
    /// because that process has ended.
    ///
    /// The reads never wait, since the kernel makes these files from its own memory.
    init(of process: Int32, connectedAs socket: Int32) {
        guard let guardian = ProcessGuard(of: process, connectedAs: socket) else { return }
        let facts = ProcessFacts(of: process)
        if guardian.stillHolds() { self = facts }
    }

    /// Reads the facts of the process that has this number now.
    private init(of process: Int32) {
        unit = ProcessFacts.unit(of: process)
        executable = ProcessFacts.executable(of: process)
        command = ProcessFacts.contents(of: process, "comm").map { String($0.prefix { $0 != "\n" }) }
    }

    /// The systemd unit of the process that has this number now; nil if the process is in no unit.
    static func unit(of process: Int32) -> String? {
        contents(of: process, "cgroup").flatMap(SystemdUnit.name(inControlGroups:))
    }

    /// The path of the process's executable; nil if it cannot be read.
    ///
    /// For other users' processes, reading it needs root or CAP_SYS_PTRACE.
    static func executable(of process: Int32) -> String? {
        var path = [CChar](repeating: 0, count: Int(PATH_MAX))
        // Safety: the C function writes no more than the buffer's count, and ends it with a zero.
        let length = unsafe path.withUnsafeMutableBufferPointer {
            unsafe clinux_process_executable(process, $0.baseAddress, $0.count)
        }
        guard length > 0 else { return nil }
        return String(validating: path[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The contents of a small file in `/proc/PID`; nil if the process has ended or the file has 4096 bytes or more.
    fileprivate static func contents(of process: Int32, _ name: String) -> String? {
        guard let bytes = try? SmallFile.read("/proc/\(process)/\(name)", upTo: 4096), bytes.count < 4096
        else { return nil }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension ProcessFacts {
    /// The user who owns a process's folder in `/proc`, in general the process's effective user (proc_pid(5)); nil if
    /// the process has ended.
    static func effectiveUser(of process: Int32) -> UInt32? {
        var status = stat()
        // Safety: the kernel fills one `stat`.
        return unsafe lstat("/proc/\(process)", &status) == 0 ? status.st_uid : nil
    }

    /// The user and group IDs of a process; nil if the process has ended.
    ///
    /// The users are the real, effective, saved and file-system users. The groups are the effective and the
    /// supplementary groups.
    static func owner(of process: Int32) -> (users: Set<UInt32>, groups: [UInt32])? {
        guard let file = try? Descriptor(opening: "/proc/\(process)/status", flags: O_RDONLY) else { return nil }
        var text: [UInt8] = []
        // The file is read in pieces: for a process in thousands of groups, it is longer than this buffer.
        var buffer = [UInt8](repeating: 0, count: 4096)
        while case .bytes(let count) = file.read(into: &buffer) { text += buffer[..<count] }
        var users: Set<UInt32> = []
        var groups: Set<UInt32> = []
        for line in text.split(separator: UInt8(ascii: "\n")) {
            if line.starts(with: "Uid:".utf8) {
                users.formUnion(numbers(in: line))
            } else if line.starts(with: "Gid:".utf8) {
                groups.formUnion(numbers(in: line).dropFirst().prefix(1))
            } else if line.starts(with: "Groups:".utf8) {
                groups.formUnion(numbers(in: line))
            }
        }
        return (users, groups.sorted())
    }

    /// The decimal numbers in a line of `/proc/PID/status`, separated by spaces or tabs.
    ///
    /// The function works on bytes, because characters take ten times as long, and hundreds of processes are read.
    private static func numbers(in line: ArraySlice<UInt8>) -> [UInt32] {
        line.split { !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }.map { digits in
            digits.reduce(0) { $0 &* 10 &+ UInt32($1 - UInt8(ascii: "0")) }
        }
    }

    /// The descriptor numbers of a process's open files, as text; also empty if the daemon is not allowed to see them.
    static func openFiles(of process: Int32, most: Int) -> [String] {
        most > 0 ? (try? FolderListing.names(in: "/proc/\(process)/fd", most: most)) ?? [] : []
    }

    /// Whether a process's open file with this descriptor number is `target`, written as the kernel shows it, such as
    /// `socket:[12345]`.
    static func leads(_ name: String, of process: Int32, to target: [UInt8]) -> Bool {
        var text = [CChar](repeating: 0, count: 64)
        // Safety: the kernel writes no more than the buffer's count.
        let count = unsafe readlink("/proc/\(process)/fd/\(name)", &text, text.count)
        return count == target.count && (0..<count).allSatisfy { UInt8(bitPattern: text[$0]) == target[$0] }
    }
}

/// Proves that a process number still belongs to the process that connected.
struct ProcessGuard: ~Copyable {
    private let process: Int32
    /// The kernel's handle on the process (pidfd); nil on a kernel before Linux 6.5, which gives none for a peer.
    private let handle: Descriptor?
    /// The start of the process in clock ticks since boot; used only if there is no handle.
    private let start: UInt64

    /// Remembers how to recognise the process that connected; nil if that process has ended.
    init?(of process: Int32, connectedAs socket: Int32) {
        let result = clinux_unix_peer_process(socket)
        // A kernel before 6.5 does not have the socket option SO_PEERPIDFD and says so; any other error means that the
        // process has ended.
        guard result >= 0 else {
            guard result == -ENOPROTOOPT else { return nil }
            self.init(withoutHandleOf: process)
            return
        }
        self.init(process: process, handle: Descriptor(adopting: result), start: 0)
    }

    /// Remembers the start time of the process that connected, for kernels that give no handle on a socket's peer; nil
    /// if the process has ended.
    init?(withoutHandleOf process: Int32) {
        guard let start = ProcessGuard.start(of: process), start <= ProcessGuard.ticks() else { return nil }
        self.init(process: process, handle: nil, start: start)
    }

    private init(process: Int32, handle: consuming Descriptor?, start: UInt64) {
        self.process = process
        self.handle = handle
        self.start = start
    }

    /// Whether all facts that were read from the making of this guard until now are about the process that connected.
    ///
    /// Without a handle on the process, this compares start times, which tells whether the process number was reused
    /// since the connection was accepted. Between connecting and accepting the number cannot be reused: this takes only
    /// milliseconds, and the kernel first gives out all other numbers, at least 32767.
    borrowing func stillHolds() -> Bool {
        switch handle {
        case .some(let handle): handle.withRawValue { clinux_process_runs($0) }
        case .none: ProcessGuard.start(of: process) == start
        }
    }

    private static func start(of process: Int32) -> UInt64? {
        ProcessFacts.contents(of: process, "stat").flatMap(ProcessStart.ticks(inStatus:))
    }

    private static func ticks() -> UInt64 {
        UInt64(Clock.now().nanoseconds) / (1_000_000_000 / UInt64(clinux_clock_ticks()))
    }
}

/// The time at which a process began.
enum ProcessStart {
    /// Field 22 of `/proc/PID/stat` (proc_pid_stat(5)): the process's start in clock ticks since boot.
    ///
    /// Field 2 is the command in brackets, which can itself contain spaces and brackets.
    static func ticks(inStatus text: String) -> UInt64? {
        guard let bracket = text.lastIndex(of: ")") else { return nil }
        let fields = text[text.index(after: bracket)...].split(separator: " ")
        return fields.count > 19 ? UInt64(fields[19]) : nil
    }
}
