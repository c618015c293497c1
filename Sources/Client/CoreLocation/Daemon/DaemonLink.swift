internal import CLinux
internal import Glibc
internal import Synchronization

/// The owner of a link, told of lines and losses and asked for the bytes to send, all on the link's one thread.
protocol DaemonLinkOwner: AnyObject, Sendable {
    func received(_ line: [UInt8])
    /// Called when the connection has ended, or could not be made.
    func lostConnection()
    /// The bytes that wait to be sent; nil where so many waited that the connection must start afresh.
    func takeOutput() -> [UInt8]?
}

/// The one connection of this process to the daemon, on a thread of its own.
///
/// The link connects when it is first poked, and again after every loss: 1 s later, then 2 s and so on up to 60 s, and
/// at once when it is poked meanwhile. No call blocks its caller.
final class DaemonLink: Sendable {
    private let path: String
    private let wake: Int32
    private let control = Mutex(Control())

    private struct Control {
        var isStarted = false
        var isStopped = false
        weak var owner: (any DaemonLinkOwner)?
    }

    init(path: String) {
        self.path = path
        wake = clinux_counter_open()
    }

    deinit {
        if wake >= 0 { close(wake) }
    }

    func start(for owner: any DaemonLinkOwner) {
        let isFirst = control.withLock { control in
            control.owner = owner
            defer { control.isStarted = true }
            return !control.isStarted
        }
        if isFirst { startThread() }
    }

    /// Sends the waiting bytes, or tries to connect at once.
    func poke() {
        _ = clinux_counter_post(wake)
    }

    func stop() {
        control.withLock { $0.isStopped = true }
        poke()
    }

    private var owner: (any DaemonLinkOwner)? {
        control.withLock { $0.isStopped ? nil : $0.owner }
    }

    private func startThread() {
        // Safety: the link is retained for the new thread, which releases it; if none starts, it is released here.
        let context = unsafe Unmanaged.passRetained(self)
        let result = unsafe clinux_thread_start("sextant", { unsafe DaemonLink.run($0) }, context.toOpaque())
        if result < 0 { unsafe context.release() }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        // Safety: `startThread` retained the link exactly once for this thread.
        unsafe Unmanaged<DaemonLink>.fromOpaque(context).takeRetainedValue().run()
    }

    private func run() {
        var backOff = BackOff()
        while owner != nil {
            if let socket = DaemonSocket(path: path), serve(socket) { backOff.reset() }
            owner?.lostConnection()
            wait(milliseconds: backOff.next())
        }
    }

    /// Waits for a poke, for at most the given milliseconds.
    private func wait(milliseconds: Int32) {
        var item = pollfd(fd: wake, events: Int16(POLLIN), revents: 0)
        // Safety: one item is lent for the call.
        _ = unsafe poll(&item, 1, milliseconds)
        _ = clinux_counter_clear(wake)
    }

    /// Reads and writes until the connection ends, and returns whether the daemon sent anything at all.
    private func serve(_ socket: borrowing DaemonSocket) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 8_192)
        var lines = LineBuffer()
        var output = ArraySlice<UInt8>()
        var wasHeard = false
        while owner != nil {
            if output.isEmpty {
                guard let more = owner?.takeOutput() else { return wasHeard }
                output = more[...]
            }
            guard let sent = output.isEmpty ? 0 : socket.send(output) else { return wasHeard }
            output = output.dropFirst(sent)
            wait(for: socket, toWrite: !output.isEmpty)
            guard let count = socket.read(into: &buffer) else { return wasHeard }
            for line in lines.push(buffer[..<count]) {
                wasHeard = true
                owner?.received(line)
            }
        }
        return wasHeard
    }

    private func wait(for socket: borrowing DaemonSocket, toWrite: Bool) {
        let events = Int16(POLLIN) | (toWrite ? Int16(POLLOUT) : 0)
        var items = [
            pollfd(fd: wake, events: Int16(POLLIN), revents: 0),
            pollfd(fd: socket.descriptor, events: events, revents: 0),
        ]
        // Safety: two items are lent for the call.
        _ = unsafe poll(&items, 2, -1)
        _ = clinux_counter_clear(wake)
    }
}

/// The pause before the next attempt to connect.
///
/// Unit: millisecond; 1 s, doubling up to 60 s.
struct BackOff {
    private var milliseconds: Int32 = 1_000

    mutating func next() -> Int32 {
        defer { milliseconds = min(milliseconds * 2, 60_000) }
        return milliseconds
    }

    mutating func reset() {
        milliseconds = 1_000
    }
}
