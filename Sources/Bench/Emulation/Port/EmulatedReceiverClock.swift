public import SextantReactor
internal import SextantSockets
public import SextantUnits

/// The time of an emulated receiver that passes only when programs order it, on a Unix socket.
///
/// A program that measures the receiver and the receiver so have one clock, and nothing that is measured depends on how
/// fast either of them runs.
///
/// A request is a line, `advance INSTANT RECEIVED`: an instant of this clock in nanoseconds, and the number of bytes
/// that programs have written to the receiver's terminal in all, some of which may still be on their way. Time passes
/// up to the instant, but only until the receiver sends; an instant that has passed already moves nothing. The answer
/// is a line of JSON: the `instant`, the bytes `sent` to the terminal meanwhile and `received` from it in all, and the
/// power state of the `receiver`. An invalid line is answered with a line that says why. A class, because the reactors'
/// handlers share it.
public final class EmulatedReceiverClock {
    /// The reactor of the receiver whose time this is.
    public let reactor: Reactor
    private let outer: Reactor
    private let failed: (any Error) -> Void
    private var listener: UnixListener?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var port: EmulatedReceiverPort?

    /// The receiver starts so long after boot: no instant that a program meets is the clock's zero.
    private static let start = MonotonicInstant(nanoseconds: 10_000_000_000)
    /// Milliseconds of real time in which the kernel hands over bytes that a program has written.
    private static let patience: Int32 = 300_000

    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - outer: The reactor on the board's clock that waits for the programs.
    ///   - failed: Called with what made it impossible to go on.
    public init(
        path: String, utc: UTCInstant, reactor outer: Reactor, failed: @escaping (any Error) -> Void
    ) throws {
        self.outer = outer
        self.failed = failed
        let clock = DrivenClock(now: EmulatedReceiverClock.start, utc: utc, isSynchronized: true)
        reactor = try Reactor(time: .driven(clock))
        let settings = ConnectionSettings(separators: .newline, lineLimit: 256, outputCapacity: 65_536)
        listener = try UnixListener(path: path, mode: 0o600, settings: settings, reactor: outer) {
            [unowned self] connection in attempt { try welcome(connection) }
        }
    }

    /// Drives a receiver that was made with this clock's reactor.
    public func drive(_ port: EmulatedReceiverPort) throws(SystemError) {
        self.port = port
        // What programs write, and the lines that they switch, count at once, whether or not time passes later.
        _ = try outer.watch(reactor) { [unowned self] in attempt { try reactor.serveReady() } }
    }

    private func welcome(_ connection: Connection) throws {
        let id = ObjectIdentifier(connection)
        connections[id] = connection
        try connection.start(
            received: { [unowned self] event, line in
                attempt { try obey(event, line, from: connection) }
            },
            ended: { [unowned self] _ in connections[id] = nil })
    }

    /// Handlers cannot throw: what fails ends the emulation.
    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            failed(error)
        }
    }

    private func obey(_ event: LineEvent, _ line: Span<UInt8>, from connection: Connection) throws {
        let text = String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
        guard event == .line, let order = EmulatedReceiverClock.order(text), let port else {
            _ = connection.send(Array("error: write advance, an instant in nanoseconds and a number of bytes\n".utf8))
            return
        }
        guard try receive(order.received, through: port) else {
            let problem = "error: \(port.receivedCount) bytes have come, and \(order.received) were written\n"
            _ = connection.send(Array(problem.utf8))
            return
        }
        let sent = port.sentCount
        while port.sentCount == sent, reactor.now < order.instant {
            try reactor.advance(to: min(order.instant, reactor.wake ?? order.instant))
            try reactor.serveReady()
        }
        let answer =
            "{\"instant\":\(reactor.now.nanoseconds),\"sent\":\(port.sentCount - sent),"
            + "\"received\":\(port.receivedCount),\"receiver\":\"\(port.powerState?.name ?? "off")\"}\n"
        _ = connection.send(Array(answer.utf8))
    }

    /// Serves all ready events, and waits until the terminal has handed over `count` bytes since the start.
    ///
    /// - Returns: False where the bytes did not come in time.
    private func receive(_ count: Int, through port: EmulatedReceiverPort) throws -> Bool {
        try reactor.serveReady()
        while port.receivedCount < count {
            guard try reactor.serve(waitingMilliseconds: EmulatedReceiverClock.patience) else { return false }
            try reactor.serveReady()
        }
        return true
    }

    private static func order(_ text: String) -> (instant: MonotonicInstant, received: Int)? {
        let words = text.split(separator: " ")
        guard words.count == 3, words[0] == "advance", let instant = Int64(words[1]), let received = Int(words[2]),
            instant >= 0, received >= 0
        else { return nil }
        return (MonotonicInstant(nanoseconds: instant), received)
    }
}
