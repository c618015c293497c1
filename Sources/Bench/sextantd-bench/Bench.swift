internal import BenchControl
internal import Boards
internal import Configuration
internal import Logging
internal import SextantReactor
internal import SextantSockets
internal import SextantUnits
internal import Tracker

/// The daemon on a driven clock (a virtual clock that the harness advances), and the control socket through which the
/// harness does so.
///
/// There are two reactors: the daemon's own, which never waits, and an outer one on the board's real clock, which waits
/// for the harness and for the daemon's clients. A class, because the handlers of both reactors share this object.
final class Bench {
    private let outer: Reactor
    private let clock: DrivenClock
    private let inner: Reactor
    private let settings: TrackerSettings
    private let hasRadio: Bool
    private let logger: Logger
    private var listener: UnixListener?
    private var harness: Connection?
    private var hardware: BenchHardware?
    private var tracker: Tracker?
    private var failure: (any Error)?
    /// Whether virtual time stands still until every client has read what the daemon sent it.
    private var waitsForClients = true

    /// The virtual time since boot at which the daemon is started: not zero, so that no instant that the daemon sees is
    /// zero.
    private static let start = MonotonicInstant(nanoseconds: 10_000_000_000)
    /// The largest number of bytes of reports that can wait for a harness that does not read.
    private static let reportCapacity = 1 << 24

    init(_ settings: TrackerSettings, utc: Int64?, hasRadio: Bool, logger: Logger) throws(SystemError) {
        self.settings = settings
        self.hasRadio = hasRadio
        self.logger = logger
        outer = try Reactor()
        clock = DrivenClock(
            now: Bench.start, utc: utc.map(UTCInstant.init(seconds:)) ?? BuildDate.instant, isSynchronized: utc != nil)
        inner = try Reactor(time: .driven(clock))
    }

    /// Opens the control socket and serves until the harness or a signal ends the run.
    func run(control: String) throws {
        try outer.onSignal { [unowned self] signal in if signal != .hangUp { outer.stop() } }
        listener = try UnixListener(
            path: control, mode: 0o600,
            settings: ConnectionSettings(
                separators: .newline, lineLimit: 1 << 24, outputCapacity: Bench.reportCapacity), reactor: outer
        ) { [unowned self] connection in attempt { try welcome(connection) } }
        logger.info("waiting for a harness at \(control)")
        try outer.run()
        tracker?.stop()
        if let failure { throw failure }
    }

    /// Starts the daemon when its harness connects; the daemon ends with the harness.
    private func welcome(_ connection: Connection) throws {
        guard harness == nil else { return connection.close() }
        harness = connection
        try connection.start(
            received: { [unowned self] event, line in attempt { try received(event, line) } },
            ended: { [unowned self] _ in outer.stop() })
        let hardware = BenchHardware(
            device: settings.device, lines: settings.board?.lines ?? [:], sensors: settings.board?.sensors,
            hasRadio: hasRadio, reactor: inner, tell: { [unowned self] in tell($0) }, ask: { [unowned self] in ask($0) }
        )
        let tracker = try Tracker(settings, hardware: hardware, reactor: inner, logger: logger)
        self.hardware = hardware
        self.tracker = tracker
        try tracker.start()
        _ = try outer.watch(inner) { [unowned self] in attempt { try inner.serveReady() } }
        let gpsd = tracker.gpsdPort.map { ", gpsd on port \($0)" } ?? ""
        logger.info("serving \(settings.socket)\(gpsd)")
        try becomeIdle()
    }

    /// Runs a handler's work; an error ends the run, because handlers cannot throw.
    private func attempt(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            failure = failure ?? error
            outer.stop()
        }
    }

    // MARK: Commands

    private func received(_ event: LineEvent, _ line: Span<UInt8>) throws {
        guard event == .line else { return tell(.error("a line of more than 16 MiB")) }
        try settle()
        for command in decode(line) { try obey(command) }
        try becomeIdle()
    }

    private func decode(_ line: Span<UInt8>) -> [BenchCommand] {
        do throws(BenchFormatError) {
            return try BenchCommand.decode(line.indices.map { line[$0] })
        } catch {
            tell(.error("\(error)"))
            return []
        }
    }

    private func obey(_ command: BenchCommand) throws {
        guard let hardware else { return }
        switch command {
        case .advance(let instant): try advance(to: instant, hardware)
        case .uart(let bytes): hardware.feed(bytes)
        case .radio(let event): hardware.feed(radio: event)
        case .line(let role, let level):
            if !hardware.change(role, to: level) { tell(.error("\(role): the daemon has not opened this line")) }
        case .utc(let seconds):
            if let seconds { clock.utc = UTCInstant(seconds: seconds) }
            clock.isSynchronized = seconds != nil
        case .plug: hardware.plug()
        case .unplug: hardware.unplug()
        case .waitForClients(let waits): waitsForClients = waits
        case .quit: outer.stop()
        }
        try settle()
    }

    /// Serves all ready events and carries out the daemon's orders to its sensors, until neither is left.
    private func settle() throws {
        repeat { try inner.serveReady() } while hardware?.serveCompass() == true
    }

    /// Lets time pass, but stops when the daemon acts on its hardware, because the hardware can answer at once.
    private func advance(to instant: MonotonicInstant, _ hardware: BenchHardware) throws {
        while !hardware.hasActed, inner.now < instant {
            try inner.advance(to: min(instant, inner.wake ?? instant))
            try settle()
        }
    }

    private func becomeIdle() throws {
        try settle()
        try waitForClients()
        let wakeUps = inner.wakeUps + (hardware?.edgeCount ?? 0)
        tell(.idle(BenchIdle(now: inner.now, wake: inner.wake, wakeUps: wakeUps)))
        hardware?.hasActed = false
    }

    /// Waits until all clients have read what they were sent, unless the harness has switched this off.
    ///
    /// Virtual time is faster than the clients, so it stands still for them.
    private func waitForClients() throws {
        guard waitsForClients, let tracker else { return }
        let deadline = Clock.now().advanced(byNanoseconds: BenchPatience.nanoseconds)
        while tracker.unsentByteCount > 0 {
            guard Clock.now() < deadline else { return tell(.error("a client does not read what it was sent")) }
            _ = try inner.serve(waitingMilliseconds: 1000)
        }
    }

    /// Asks the harness to carry out a transfer on the sensors' bus, and waits for the answer.
    private func ask(_ transfer: BenchTransfer) -> BenchTransferAnswer? {
        let deadline = Clock.now().advanced(byNanoseconds: BenchPatience.nanoseconds)
        guard let line = harness?.ask(BenchReport.transfer(transfer).encoded(), deadline: deadline) else {
            logger.error("the harness does not answer for its I2C bus; the bench ends")
            outer.stop()
            return nil
        }
        do {
            return try BenchTransferAnswer.decode(line)
        } catch {
            logger.error("the harness's answer for its I2C bus: \(error)")
            return nil
        }
    }

    private func tell(_ report: BenchReport) {
        guard let harness, harness.isOpen else { return }
        if !harness.send(report.encoded()) {
            logger.error("the harness does not read its reports; the bench ends")
            outer.stop()
        }
    }
}

extension UTCInstant {
    fileprivate init(seconds: Int64) { self.init(nanoseconds: seconds * 1_000_000_000) }
}
