public import SextantReactor
internal import SextantSockets
public import SextantUnits

/// The clock of an emulated receiver on which time passes only when a program asks for it through a Unix socket.
///
/// So the receiver and the program that measures it share one clock, and the results do not depend on the speed of
/// either.
///
/// A request is a line of text, `advance INSTANT RECEIVED`: an instant of this clock in nanoseconds, and the total
/// number of bytes that programs have written to the receiver's terminal, some of which may still be on their way. Time
/// passes up to the instant, but stops earlier if the receiver sends; a request with a past instant moves nothing. The
/// answer is one line of JSON: the `instant` reached, the number of bytes `sent` to the terminal while that time
/// passed, the total number of bytes `received` from the terminal, and the power state of the `receiver`. An invalid
/// line is answered with an error line. A class, because the reactors' handlers share it.
public final class EmulatedReceiverClock {
    /// The reactor that runs the emulated receiver on this clock.
    public let reactor: Reactor
    private let outer: Reactor
    private let failed: (any Error) -> Void
    private var listener: UnixListener?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var port: EmulatedReceiverPort?

    /// The instant of this clock at which the receiver starts; it is not zero, so that no instant that a program sees
    /// is zero.
    private static let start = MonotonicInstant(nanoseconds: 10_000_000_000)
    /// The longest wait, in milliseconds of real time, for the kernel to hand over bytes that a program has written.
    private static let handoverMilliseconds: Int32 = 300_000

    /// - Parameters:
    ///   - path: The path of the Unix socket.
    ///   - outer: The reactor that waits for programs at the socket, in real time.
    ///   - failed: Called with the error that ends the emulation.
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

    /// Lets this clock drive an emulated receiver's port, which must have been made with this clock's reactor.
    public func drive(_ port: EmulatedReceiverPort) throws(SystemError) {
        self.port = port
        // Bytes that programs write and GPIO lines that they switch take effect at once; time need not pass for this.
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

    /// Runs the work of a handler; handlers cannot throw, so an error ends the emulation.
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

    /// Serves all ready events, and waits until the terminal has handed over at least `count` bytes in total.
    ///
    /// - Returns: False if the bytes did not arrive within the time limit.
    private func receive(_ count: Int, through port: EmulatedReceiverPort) throws -> Bool {
        try reactor.serveReady()
        while port.receivedCount < count {
            guard try reactor.serve(waitingMilliseconds: EmulatedReceiverClock.handoverMilliseconds) else {
                return false
            }
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
