internal import CSextantLinux
internal import DaemonClient
internal import Glibc
internal import SextantReactor

/// The inputs of a command that cleans up before it ends: lines from the daemon, lines that the user types, and
/// signals.
///
/// While this object exists, SIGINT (Ctrl-C), SIGTERM and SIGHUP do not end the process, but are delivered as `ended`.
struct CommandInput: ~Copyable {
    enum Event {
        case daemon(DaemonLine)
        case typed(String)
        /// The process got SIGINT, SIGTERM or SIGHUP, or standard input has ended and every answer in it was read.
        case ended
    }

    private let signals: Descriptor
    private let readsAnswers: Bool
    private var unread: [UInt8]
    private var isInputOver: Bool
    private var isStopped: Bool

    /// The largest number of bytes that are read from standard input before the user's answers in them are needed.
    private static let maximumUnread = 4096

    /// - Parameter readsAnswers: Whether the command reads the user's answers from standard input.
    init(readsAnswers: Bool) throws(CommandFailure) {
        let descriptor = clinux_signals_open()
        guard descriptor >= 0 else { throw .inputOutput("signalfd: \(SystemError.text(of: -descriptor))") }
        signals = Descriptor(adopting: descriptor)
        self.readsAnswers = readsAnswers
        // These members are set here, after the last statement that throws: Swift 6.2 cannot destroy a noncopyable
        // value that is partly initialized when its initializer throws.
        unread = []
        isInputOver = false
        isStopped = false
    }

    /// Waits for the next event; lines from the daemon come before typed lines, because a typed line can be the answer
    /// to a line from the daemon.
    ///
    /// - Parameters:
    ///   - isAsking: Whether a question waits for the user's answer. If none does, input from a file or pipe is kept
    ///     for later.
    ///   - isSettled: Whether the daemon has confirmed every answer; until then the end of standard input does not end
    ///     the command.
    mutating func next(
        from daemon: inout Daemon, isAsking: Bool = false, isSettled: Bool = true
    ) throws(CommandFailure) -> Event {
        while true {
            if let line = try daemon.arrived() { return .daemon(line) }
            if isStopped { return .ended }
            if isAsking || isTerminal, let text = takeLine() { return .typed(text) }
            if isInputOver, isSettled, !unread.contains(0x0A) { return .ended }
            wait(daemon)
        }
    }

    private var isTerminal: Bool { isatty(0) == 1 }

    private mutating func takeLine() -> String? {
        guard let end = unread.firstIndex(of: 0x0A) else { return nil }
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
    }

    private mutating func wait(_ daemon: borrowing Daemon) {
        // A descriptor number of -1 makes poll(2) skip the entry.
        let numbers = [hasRoom ? 0 : -1, daemon.withRawValue { $0 }, signals.withRawValue { $0 }]
        var entries = numbers.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        // Safety: the kernel writes within the array, which outlives the call.
        guard unsafe poll(&entries, nfds_t(entries.count), -1) > 0 else { return }
        if entries[0].revents != 0 { read() }
        if entries[2].revents != 0 { isStopped = true }
    }

    private var hasRoom: Bool { readsAnswers && !isInputOver && unread.count < CommandInput.maximumUnread }

    private mutating func read() {
        var buffer = [UInt8](repeating: 0, count: 512)
        // Safety: the kernel writes at most the array's count of bytes into the array, which outlives the call.
        let count = unsafe Glibc.read(0, &buffer, buffer.count)
        if count > 0 {
            unread += buffer[..<count]
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            // The last line of standard input can lack its newline, so one is added.
            if !unread.isEmpty, unread.last != 0x0A { unread.append(0x0A) }
            isInputOver = true
        }
    }
}
