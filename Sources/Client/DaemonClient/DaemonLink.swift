internal import CSextantLinux
internal import Glibc
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits
internal import Synchronization

/// The owner of a `DaemonLink`: it receives the daemon's lines and supplies the bytes to send.
///
/// It is called on the link's thread; only if that thread cannot be started, `start` itself calls `missesDaemon`.
public protocol DaemonLinkOwner: AnyObject, Sendable {
    func received(_ line: [UInt8])
    /// Called when every line that the daemon has sent so far has been passed to `received`.
    func caughtUp()
    /// Called when the connection to the daemon has ended, or could not be made.
    func lostConnection()
    /// Called once if the daemon cannot be reached for some time; the sentence says why, and what the user can do.
    func missesDaemon(_ sentence: String)
    /// Removes and returns the bytes that wait to be sent; nil if too many waited, so that the connection must be made
    /// anew.
    func takeOutput() -> [UInt8]?
}

extension DaemonLinkOwner {
    public func caughtUp() {}
    public func missesDaemon(_ sentence: String) {}
}

/// The one connection of this process to the daemon, on a thread of its own.
///
/// The link connects when it is started, and again after every loss. The pauses before these attempts are 1 s, then 2
/// s, and so on up to 60 s; a call of `poke()` ends a pause at once. No method blocks its caller.
public final class DaemonLink: Sendable {
    private let path: String
    private let wake: Int32
    private let patience: Int64
    private let control = Mutex(Control())

    private struct Control {
        var isStarted = false
        var isStopped = false
        weak var owner: (any DaemonLinkOwner)?
    }

    /// - Parameter patience: The time in nanoseconds without a connection after which `missesDaemon` is called; a
    ///   daemon that is only restarted is back sooner.
    public init(path: String, patience: Int64 = 500_000_000) {
        self.path = path
        self.patience = patience
        wake = clinux_counter_open()
    }

    deinit {
        if wake >= 0 { close(wake) }
    }

    public func start(for owner: any DaemonLinkOwner) {
        let isFirst = control.withLock { control in
            control.owner = owner
            defer { control.isStarted = true }
            return !control.isStarted
        }
        if isFirst { startThread() }
    }

    /// Makes the link's thread send the waiting bytes or, without a connection, try to connect at once.
    public func poke() {
        _ = clinux_counter_post(wake)
    }

    public func stop() {
        control.withLock { $0.isStopped = true }
        poke()
    }

    private var owner: (any DaemonLinkOwner)? {
        control.withLock { $0.isStopped ? nil : $0.owner }
    }

    private func startThread() {
        do throws(SystemError) {
            try Thread.start("sextant") { self.run() }
        } catch {
            control.withLock { $0.isStarted = false }
            owner?.missesDaemon("no thread could be started for the connection to sextantd: \(error)")
        }
    }

    private func run() {
        var backOff = BackOff()
        var absence = Absence(patience: patience)
        while owner != nil {
            do {
                let socket = try Descriptor.connected(toUnixSocket: path, isBlocking: false)
                absence = Absence(patience: patience)
                if serve(socket) { backOff.reset() }
            } catch {
                if absence.isToBeTold(at: Clock.now()) { owner?.missesDaemon(DaemonLink.sentence(error)) }
            }
            owner?.lostConnection()
            backOff.passed(isPoked: wait(milliseconds: backOff.milliseconds))
        }
    }

    /// Waits for a call of `poke()`, for at most the given milliseconds, and returns whether one came.
    private func wait(milliseconds: Int32) -> Bool {
        var item = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        // Safety: `poll` gets one item and the count 1, and keeps no pointer to the item.
        let isPoked = unsafe poll(&item, 1, milliseconds) > 0
        _ = clinux_counter_clear(wake)
        return isPoked
    }

    /// A sentence that says why no connection can be made; it names `SEXTANT_SOCKET`, because client programs have no
    /// `--socket` option.
    private static func sentence(_ error: LocalSocketError) -> String {
        guard case .noDaemon(let path) = error else { return "\(error)" }
        return "\(path): no sextantd answers; start it, or name its socket in SEXTANT_SOCKET"
    }

    /// Sends and receives until the connection ends, and returns whether the daemon sent any line.
    private func serve(_ socket: borrowing Descriptor) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var lines = LineAssembler(separators: .newline, limit: DaemonLink.longestLine)
        var output: [UInt8] = []
        var sent = 0
        var wasHeard = false
        while owner != nil {
            if sent == output.count {
                guard let more = owner?.takeOutput() else { return wasHeard }
                (output, sent) = (more, 0)
            }
            guard let count = DaemonLink.bytes(socket.send(output.span.extracting(sent..<output.count))) else {
                return wasHeard
            }
            sent += count
            // More output may have been queued during this send, and its wake-up may have been cleared already, so the
            // queue is looked at again before the thread waits.
            if count > 0, sent == output.count { continue }
            wait(for: socket, toWrite: sent < output.count)
            guard let count = DaemonLink.bytes(socket.read(into: &buffer)) else { return wasHeard }
            wasHeard = deliver(buffer, count, &lines) || wasHeard
            if count < buffer.count { owner?.caughtUp() }
        }
        return wasHeard
    }

    /// The number of bytes that one read or write transferred; nil if the daemon has closed the connection.
    private static func bytes(_ transfer: Transfer) -> Int? {
        switch transfer {
        case .bytes(let count): count
        case .wouldBlock: 0
        case .disconnected: nil
        }
    }

    /// Passes to the owner all lines that these received bytes complete, and returns whether there were any.
    private func deliver(_ buffer: [UInt8], _ count: Int, _ lines: inout LineAssembler) -> Bool {
        var complete: [[UInt8]] = []
        lines.push(buffer.span.extracting(0..<count)) { event, line in
            if event == .line { complete.append(line.indices.map { line[$0] }) }
        }
        for line in complete { owner?.received(line) }
        return !complete.isEmpty
    }

    private func wait(for socket: borrowing Descriptor, toWrite: Bool) {
        let events = Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0)
        socket.withRawValue { number in
            var items = [
                pollfd(fd: wake, events: Int16(POLLIN), revents: 0), pollfd(fd: number, events: events, revents: 0),
            ]
            // Safety: `poll` gets two items and the count 2, and keeps no pointer to the items.
            _ = unsafe poll(&items, 2, -1)
        }
        _ = clinux_counter_clear(wake)
    }

    /// The largest length in bytes of a line from the daemon; a longer line is skipped whole.
    ///
    /// A request has at most 64 KiB; the daemon's answer to it can repeat a polygon's corners, and is longer only
    /// because the daemon writes numbers with more digits.
    static let longestLine = 262_144
}

/// The pause before the next attempt to connect to the daemon, which grows with each failure.
///
/// Unit: millisecond; 1 s, doubling up to 60 s.
struct BackOff {
    private(set) var milliseconds: Int32 = 1_000

    /// Called at the end of a pause: doubles the next pause, unless a call of `poke()` ended this one early.
    mutating func passed(isPoked: Bool) {
        if !isPoked { milliseconds = min(milliseconds * 2, 60_000) }
    }

    mutating func reset() {
        milliseconds = 1_000
    }
}

/// Measures how long no connection to the daemon has been possible.
struct Absence {
    /// The time in nanoseconds without a connection after which the owner's `missesDaemon` is called.
    let patience: Int64
    private var since: MonotonicInstant?
    private var isTold = false

    init(patience: Int64) { self.patience = patience }

    /// Called after a failed attempt to connect; returns whether to call `missesDaemon` now, which is true only once
    /// until a connection succeeds.
    mutating func isToBeTold(at instant: MonotonicInstant) -> Bool {
        let began = since ?? instant
        since = began
        guard !isTold, instant.nanoseconds(since: began) >= patience else { return false }
        isTold = true
        return true
    }
}
