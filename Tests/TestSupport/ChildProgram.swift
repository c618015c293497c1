public import Glibc
internal import SextantReactor
internal import Synchronization

/// Has a program inherit no descriptor from a number on; Swift's header of the C library lacks it, posix_spawn(3).
@_silgen_name("posix_spawn_file_actions_addclosefrom_np")
private func closeFrom(_ actions: UnsafeMutablePointer<posix_spawn_file_actions_t>, _ number: Int32) -> Int32

/// A program that a test has started; it and its process group are killed when this object is released.
///
/// It takes the place of Foundation's `Process`, whose run loops and sockets the test process shares among threads. A
/// thread of its own waits for each program, so that none is left unreaped. The program inherits no descriptor but its
/// standard streams, and no blocked or ignored signal.
public final class ChildProgram: Sendable {
    /// Where a standard stream leads.
    public enum Stream: Sendable {
        /// `/dev/null`.
        case nothing
        /// Where the test's own stream leads.
        case inherited
        /// A file: read from its start, or emptied and written.
        case file(String)
        /// A pipe, whose other end this object has.
        case pipe
        /// The same as the standard output; for the standard error alone.
        case output
    }

    /// A failed call, and the kernel's reason.
    public struct Failure: Error, CustomStringConvertible {
        public var description: String

        init(_ call: String, _ number: Int32) { description = "\(call): \(SystemError.text(of: number))" }
    }

    public let processID: pid_t
    private let end: ProgramEnd
    private let pipes: Mutex<[Int32]>

    /// Starts the program.
    ///
    /// - Parameters:
    ///   - program: Its path, or its name, which is looked for in `PATH`.
    ///   - environment: Its variables; nil for those of the test.
    public init(
        _ program: String, _ arguments: [String] = [], environment: [String: String]? = nil,
        input: Stream = .nothing, output: Stream = .inherited, errors: Stream = .inherited
    ) throws {
        // A test that writes to a program that has ended gets an error, and not a signal.
        _ = ChildProgram.ignoresBrokenPipes
        var streams = StandardStreams()
        defer { streams.closeTheirs() }
        do {
            try streams.open(input, as: 0)
            try streams.open(output, as: 1)
            try streams.open(errors, as: 2)
            processID = try ChildProgram.spawn([program] + arguments, environment, streams)
        } catch {
            streams.closeOurs()
            throw error
        }
        pipes = Mutex(streams.ours)
        end = ProgramEnd(of: processID)
        try Thread.start("test-child") { [end] in end.reap() }
    }

    deinit {
        // Others of its group, such as those of a shell's pipe, may have outlived it.
        _ = Glibc.kill(-processID, SIGKILL)
        try? waitUntil("the end of process \(processID)") { end.status != nil }
        for number in pipes.withLock({ $0 }) where number >= 0 { close(number) }
    }

    private static let ignoresBrokenPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

    private static func spawn(
        _ words: [String], _ environment: [String: String]?, _ streams: StandardStreams
    ) throws(Failure) -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        for (number, end) in streams.theirs.enumerated() where end >= 0 {
            unsafe posix_spawn_file_actions_adddup2(&actions, end, Int32(number))
        }
        _ = unsafe closeFrom(&actions, 3)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var (none, ignored) = (sigset_t(), sigset_t())
        unsafe sigemptyset(&none)
        unsafe sigemptyset(&ignored)
        unsafe sigaddset(&ignored, SIGPIPE)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &ignored)
        let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
        unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
        // Safety: the copies live until after the call, and are freed once.
        let arguments = unsafe words.map { unsafe strdup($0) }
        let variables = unsafe environment.map { unsafe $0.map { unsafe strdup("\($0.key)=\($0.value)") } }
        defer { unsafe (arguments + (variables ?? [])).forEach { unsafe free($0) } }
        var process: pid_t = 0
        let result =
            if let variables = unsafe variables {
                unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], variables + [nil])
            } else {
                unsafe posix_spawnp(&process, words[0], &actions, &attributes, arguments + [nil], environ)
            }
        guard result == 0 else { throw Failure(words[0], result) }
        return process
    }
}

extension ChildProgram {
    /// The exit status, or the negative number of the signal that ended the program; nil while it runs.
    public var status: Int32? { end.status }

    public var isRunning: Bool { end.status == nil }

    /// Sends a signal, unless the program has ended.
    public func signal(_ number: Int32) { end.signal(number) }

    /// Waits for the end of the program.
    ///
    /// - Returns: Its status.
    @discardableResult
    public func waitForEnd() throws -> Int32 {
        try waitUntil("the end of process \(processID)") { status != nil }
        return status ?? 0
    }

    /// Writes to the pipe that is the program's standard input.
    public func write(_ bytes: [UInt8]) throws(Failure) {
        let number = pipes.withLock { $0[0] }
        var rest = bytes[...]
        while !rest.isEmpty {
            // Safety: the bytes live for the call, which is told their number.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(number, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { throw Failure("write", errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Ends the program's standard input.
    public func closeInput() {
        pipes.withLock { pipes in
            if pipes[0] >= 0 { close(pipes[0]) }
            pipes[0] = -1
        }
    }

    /// Waits for more bytes of the standard output, which is a pipe.
    ///
    /// - Returns: What has come; nothing at the end of the stream.
    public func readSome() throws -> [UInt8] {
        let number = pipes.withLock { $0[1] }
        var item = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var ready: Int32 = -1
        // Safety: one item is lent for the call, and the buffer's size is told.
        repeat { ready = unsafe poll(&item, 1, Int32(Patience.seconds * 1000)) } while ready < 0 && errno == EINTR
        guard ready > 0 else { throw Late("output of process \(processID)") }
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe read(number, $0.baseAddress, $0.count) }
        guard count >= 0 else { throw Failure("read", errno) }
        return Array(buffer[..<count])
    }

    /// Waits for the end of the standard output, which is a pipe, and returns all of it that was not read yet.
    public func readToEnd() throws -> [UInt8] {
        var bytes: [UInt8] = []
        while case let more = try readSome(), !more.isEmpty { bytes += more }
        return bytes
    }
}

/// The end of a program, which the thread that waits for it notes.
///
/// A class, because the thread outlives the program's owner.
private final class ProgramEnd: Sendable {
    private let process: pid_t
    private let noted = Mutex<Int32?>(nil)

    init(of process: pid_t) { self.process = process }

    var status: Int32? { noted.withLock { $0 } }

    /// The number is the program's until its end has been noted.
    func signal(_ number: Int32) {
        noted.withLock { if $0 == nil { _ = kill(process, number) } }
    }

    /// Blocks until the program has ended, and reaps it.
    func reap() {
        var ignored = unsafe siginfo_t()
        while unsafe waitid(P_PID, id_t(process), &ignored, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        noted.withLock { noted in
            var status: Int32 = 0
            _ = unsafe waitpid(process, &status, 0)
            let signal = status & 0x7F
            noted = signal == 0 ? status >> 8 & 0xFF : -signal
        }
    }
}

/// The ends of a program's standard streams; -1 where there is none.
private struct StandardStreams {
    var ours: [Int32] = [-1, -1, -1]
    var theirs: [Int32] = [-1, -1, -1]

    mutating func open(_ stream: ChildProgram.Stream, as number: Int) throws(ChildProgram.Failure) {
        switch stream {
        case .nothing: theirs[number] = try open("/dev/null", O_RDWR)
        case .inherited: break
        case .file(let path):
            theirs[number] = try open(path, number == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC)
        case .pipe:
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw ChildProgram.Failure("pipe", errno) }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (theirs[number], ours[number]) = number == 0 ? (ends[0], ends[1]) : (ends[1], ends[0])
        case .output: theirs[number] = 1
        }
    }

    private func open(_ path: String, _ flags: Int32) throws(ChildProgram.Failure) -> Int32 {
        let number = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o644)
        guard number >= 0 else { throw ChildProgram.Failure("open \(path)", errno) }
        return number
    }

    func closeTheirs() { for number in theirs where number > 2 { close(number) } }
    func closeOurs() { for number in ours where number >= 0 { close(number) } }
}
