internal import Receivers
public import SextantReactor
internal import SextantSockets
public import SextantUnits

/// An emulated receiver on a pseudo-terminal, in the time of its reactor's clock; it obeys the commands that programs
/// write to the terminal.
///
/// Programs can switch the receiver's power and control lines over a Unix stream socket, with one line of text such as
/// `powerEnable 1` for each change. An invalid line is answered with an error line. A class, because the reactor's
/// handlers share it.
public final class EmulatedReceiverPort {
    public struct Settings: Sendable {
        /// The path of a symbolic link to the terminal, or nil for none.
        public var link: String?
        /// The path of the socket for switching the receiver's power and control lines, or nil for none.
        public var lines: String?
        /// If true, the receiver starts when a program opens the terminal; if false, at once.
        public var waits = false
        /// The number of seconds that pass for the receiver in one second of the reactor's clock.
        public var speed = 1.0
        /// Seconds of the receiver's time after which the emulation ends; nil for never.
        public var duration: Double?
        /// Whether bytes are garbled in both directions while the baud rate that the program has set differs from the
        /// receiver's.
        public var mindsRate = false

        public init() {}
    }

    private let settings: Settings
    private let reactor: Reactor
    private let make: (MonotonicInstant) -> EmulatedReceiver
    private let changed: (EmulatedPowerState, Double) -> Void
    private let ended: () -> Void
    private let terminal: PseudoTerminal
    private var listener: UnixListener?
    private var connections: [ObjectIdentifier: Connection] = [:]
    private var input = [UInt8](repeating: 0, count: 4096)
    private var receiver: EmulatedReceiver?
    private var start = MonotonicInstant.zero
    /// The last power state that was reported; nil until the receiver has started.
    public private(set) var powerState: EmulatedPowerState?
    /// The number of bytes that programs have written to the terminal (`receivedCount`), and that the receiver has
    /// written to it (`sentCount`).
    public private(set) var receivedCount = 0, sentCount = 0

    /// Opens the pseudo-terminal and the socket.
    ///
    /// - Parameters:
    ///   - make: Makes a receiver that starts at the given instant.
    ///   - changed: Called with the first power state and with each new one, and with the receiver's own time in
    ///     seconds since 1970.
    ///   - ended: Called when the settings' `duration` has passed.
    public init(
        _ settings: Settings, reactor: Reactor, make: @escaping (MonotonicInstant) -> EmulatedReceiver,
        changed: @escaping (EmulatedPowerState, Double) -> Void, ended: @escaping () -> Void
    ) throws {
        self.settings = settings
        self.reactor = reactor
        self.make = make
        self.changed = changed
        self.ended = ended
        terminal = try PseudoTerminal(link: settings.link)
        try terminal.register(with: reactor) { [unowned self] event in
            switch event {
            case .useChanged: if receiver == nil, terminal.isSlaveOpen { begin() }
            case .readable: listen()
            }
        }
        if let path = settings.lines { listener = try openLines(path) }
        reactor.onWake { [unowned self] _ in play() }
    }

    /// The path at which the program under test finds the terminal.
    public var path: String { terminal.linkPath ?? terminal.slavePath }

    /// Starts the receiver, unless the settings say to wait for a program; call it once before the reactor runs.
    public func run() {
        if !settings.waits { begin() }
    }

    private func begin() {
        start = reactor.now
        receiver = make(start)
        play()
    }

    // MARK: Time

    /// The present instant in the receiver's time.
    private var instant: MonotonicInstant {
        let passed = Double(reactor.now.nanoseconds(since: start)) * settings.speed
        return start.advanced(byNanoseconds: Int64(passed))
    }

    /// Converts an instant of the receiver's time to an instant of the reactor's clock.
    private func clockInstant(_ instant: MonotonicInstant) -> MonotonicInstant {
        let passed = (Double(instant.nanoseconds(since: start)) / settings.speed).rounded(.up)
        return start.advanced(byNanoseconds: Int64(min(passed, 9e18)))
    }

    private var end: MonotonicInstant? {
        settings.duration.map { start.advanced(byNanoseconds: Int64(($0 * 1e9).rounded())) }
    }

    private func play() {
        let now = instant
        catchUp(to: now)
        if let end, end <= now { return ended() }
        let next = [receiver?.nextEvent, end].compactMap(\.self).min()
        reactor.setWake(at: next.map(clockInstant))
    }

    /// Lets the receiver run up to an instant, and reports each change of its power state with the time of the change.
    private func catchUp(to instant: MonotonicInstant) {
        tellChange(at: start)
        while let event = receiver?.nextEvent, event <= instant {
            advance(to: event)
            tellChange(at: event)
        }
        advance(to: instant)
    }

    private func advance(to instant: MonotonicInstant) {
        if settings.mindsRate { receiver?.hostBaud = terminal.rate }
        // The receiver's bytes are lost if no program has the terminal open or the terminal is full.
        receiver?.advance(to: instant) { bytes, _ in
            if terminal.isSlaveOpen, case .bytes(let count) = terminal.write(bytes) { sentCount += count }
        }
    }

    private func tellChange(at instant: MonotonicInstant) {
        guard let receiver, receiver.powerState != powerState else { return }
        powerState = receiver.powerState
        changed(receiver.powerState, receiver.unixSeconds(at: instant))
    }

    // MARK: The host

    /// Gives the receiver the bytes that programs have written to the terminal.
    private func listen() {
        let now = instant
        if receiver != nil { catchUp(to: now) }
        while case .bytes(let count) = terminal.read(into: &input) {
            receivedCount += count
            receiver?.receive(input.span.extracting(first: count), at: now)
        }
        tellChange(at: now)
        if receiver != nil { play() }
    }

    private func openLines(_ path: String) throws -> UnixListener {
        let settings = ConnectionSettings(separators: .newline, lineLimit: 256, outputCapacity: 65_536)
        return try UnixListener(path: path, mode: 0o600, settings: settings, reactor: reactor) {
            [unowned self] connection in
            let id = ObjectIdentifier(connection)
            connections[id] = connection
            do {
                try connection.start(
                    received: { [unowned self] event, line in obey(event, line, from: connection) },
                    ended: { [unowned self] _ in connections[id] = nil })
            } catch {
                connection.close()
                connections[id] = nil
            }
        }
    }

    private func obey(_ event: LineEvent, _ line: Span<UInt8>, from connection: Connection) {
        let text = String(decoding: line.indices.map { line[$0] }, as: UTF8.self)
        guard event == .line, let (role, level) = EmulatedReceiverPort.command(text) else {
            let roles = EmulatedReceiverPort.roles.map(\.key).joined(separator: ", ")
            _ = connection.send(Array("error: write a line's name (\(roles)) and 0 or 1\n".utf8))
            return
        }
        let now = instant
        catchUp(to: now)
        receiver?.setLine(role, level, at: now)
        tellChange(at: now)
        play()
    }

    private static let roles: [LineRole] = [.powerEnable, .backupSupply, .reset, .wake]

    private static func command(_ text: String) -> (LineRole, Bool)? {
        let words = text.split(separator: " ")
        guard words.count == 2, let role = roles.first(where: { $0.key == words[0] }),
            words[1] == "0" || words[1] == "1"
        else { return nil }
        return (role, words[1] == "1")
    }
}
