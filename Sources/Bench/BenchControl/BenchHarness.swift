public import Emulation
internal import Glibc
public import Receivers
internal import SextantReactor
public import SextantSockets
public import SextantUnits

/// The reasons for which the harness, which drives `sextantd-bench`, cannot go on.
public enum BenchError: Error, Sendable, CustomStringConvertible {
    case link(LocalSocketError)
    case format(BenchFormatError)
    /// The daemon refused a command.
    case refused(String)
    /// The daemon closed its connection to the harness.
    case ended
    /// The emulated device kept announcing events at the present instant, so that virtual time did not advance.
    case deviceStuck(at: MonotonicInstant)
    /// An event that the harness waited for did not come within the time limit `BenchPatience`; the text names the
    /// event.
    case late(String)

    public var description: String {
        switch self {
        case .link(let error): "the bench's control socket: \(error)"
        case .format(let error): "the bench's control socket: \(error)"
        case .refused(let text): "sextantd-bench refused: \(text)"
        case .ended: "sextantd-bench ended; see its standard error"
        case .deviceStuck(let instant): "the emulated device does not get past \(instant.nanoseconds) ns"
        case .late(let what): "not in \(BenchPatience.seconds) s of real time: \(what)"
        }
    }
}

/// Drives `sextantd-bench` (the daemon with virtual time) and an emulated device in lock step, with one virtual time
/// for both.
///
/// A class, because it owns a connection and several parts of a test share it.
public final class BenchHarness<Device: EmulatedDevice> {
    public var device: Device
    /// The board's I2C bus, with its emulated chips, faults and recorded transfers; at first there are no chips.
    public let chips: EmulatedBus
    /// The emulated Bluetooth controller and the beacons around it; nil if the daemon has no Bluetooth management
    /// socket.
    public var radio: EmulatedRadio?
    /// The virtual instant up to which the emulated I2C chips have run, and at which their present measurements were
    /// made.
    public private(set) var chipsInstant: MonotonicInstant?
    /// The state that the daemon reported after the last command: its virtual time and when it wants to be woken.
    public private(set) var idle = BenchIdle(now: .zero, wake: nil, wakeUps: 0)
    /// The daemon's actions on its hardware, such as setting a GPIO line, each with its virtual instant; nil unless a
    /// trace of them was asked for.
    public var trace: [(instant: MonotonicInstant, report: BenchReport)]?
    private var link: LocalClient
    /// Bytes that the emulated device has sent and that the harness has not passed to the daemon yet.
    private var unsent: [UInt8] = []
    /// The number of commands in a row during which virtual time did not advance.
    private var visits = 0

    /// Connects to a `sextantd-bench`, whose daemon then starts, and tells the emulated device what the daemon does at
    /// its start.
    ///
    /// - Parameters:
    ///   - chips: The board's I2C bus with its chips; it answers under any bus name that the board file gives.
    ///   - radio: The Bluetooth controller, to which the daemon sends commands as soon as it starts; nil for none.
    public init(
        control path: String, device: Device, chips: EmulatedBus = EmulatedBus(), radio: EmulatedRadio? = nil,
        isTracing: Bool = false
    ) throws(BenchError) {
        self.device = device
        self.chips = chips
        self.radio = radio
        trace = isTracing ? [] : nil
        do { link = try LocalClient(path: path) } catch { throw .link(error) }
        try takeReports()
    }

    /// The present virtual instant.
    public var now: MonotonicInstant { idle.now }

    // MARK: Time

    /// Lets this many seconds of virtual time pass.
    public func run(seconds: Double) throws(BenchError) {
        try run(until: now.advanced(byNanoseconds: Int64((seconds * 1e9).rounded())))
    }

    /// Lets virtual time pass for the daemon and the device up to an instant.
    public func run(until target: MonotonicInstant) throws(BenchError) {
        repeat {
            let next = next(before: target)
            try pass(takeWaiting() + [.advance(to: next)])
        } while !isOver(at: target)
    }

    /// Lets virtual time pass towards `target`, but only up to the next instant at which the daemon, the device or the
    /// radio has something to do, so that the caller can serve clients at each of these instants.
    ///
    /// If the device or the radio has sent something, the call gives this to the daemon instead, and time stands still.
    ///
    /// - Returns: Whether virtual time has reached the target and neither the device nor the radio has anything left to
    ///   do at that instant.
    public func step(towards target: MonotonicInstant) throws(BenchError) -> Bool {
        let next = next(before: min(target, idle.wake ?? target))
        let commands = takeWaiting()
        try pass(commands.isEmpty ? [.advance(to: next)] : commands)
        return isOver(at: target)
    }

    /// Fetches what the daemon has done since the last command; virtual time stands still.
    public func look() throws(BenchError) { try obey([]) }

    /// Takes everything that the radio and the device have sent and the daemon has not received yet, as commands to the
    /// daemon.
    private func takeWaiting() -> [BenchCommand] {
        var commands: [BenchCommand] = []
        radio?.advance(to: now) { commands.append(.radio($0)) }
        if !unsent.isEmpty { commands.append(.uart(unsent)) }
        unsent = []
        return commands
    }

    /// The next instant at which the device or the radio does something; `limit` if that is earlier.
    private func next(before limit: MonotonicInstant) -> MonotonicInstant {
        max(now, [device.nextEvent, radio?.nextEvent, limit].compactMap(\.self).min() ?? limit)
    }

    private func isOver(at target: MonotonicInstant) -> Bool {
        let isOver =
            now >= target && unsent.isEmpty
            && [device.nextEvent, radio?.nextEvent].allSatisfy { $0.map { $0 > target } ?? true }
        if isOver { visits = 0 }
        return isOver
    }

    private func pass(_ commands: [BenchCommand]) throws(BenchError) {
        let before = now
        try obey(commands)
        visits = now == before ? visits + 1 : 0
        guard visits < 1000 else { throw .deviceStuck(at: now) }
    }

    /// Lets the daemon serve its clients while virtual time stands still, until the daemon has been woken `count` times
    /// since it reported the state `earlier`.
    ///
    /// A client that connects causes one wake-up; each request that a client sends after the answer to its previous
    /// request causes another.
    public func serve(wakeUps count: UInt64, since earlier: BenchIdle) throws(BenchError) {
        let deadline = Clock.now().advanced(byNanoseconds: BenchPatience.nanoseconds)
        while idle.wakeUps &- earlier.wakeUps < count {
            guard Clock.now() < deadline else { throw .late("\(count) wake-ups") }
            usleep(1000)
            try obey([])
        }
    }

    // MARK: Commands

    public func setInput(_ role: LineRole, _ level: Bool) throws(BenchError) { try obey([.line(role, level)]) }

    /// Sets the daemon's wall clock to seconds since 1970; nil makes the clock count as unsynchronized.
    public func setUTC(_ seconds: Int64?) throws(BenchError) { try obey([.utc(seconds)]) }

    public func plug() throws(BenchError) { try obey([.plug]) }

    public func unplug() throws(BenchError) { try obey([.unplug]) }

    /// Sets whether virtual time stands still until every client has read what the daemon sent to it; true at the
    /// daemon's start.
    ///
    /// If so, a client that does not read causes an error after the time limit `BenchPatience`.
    public func waitForClients(_ waits: Bool) throws(BenchError) { try obey([.waitForClients(waits)]) }

    /// Sends bytes to the daemon as if the receiver had sent them, in addition to the bytes of the emulated device.
    public func send(_ bytes: [UInt8]) throws(BenchError) { try obey([.uart(bytes)]) }

    /// Ends the daemon.
    public func quit() throws(BenchError) {
        do { try link.send(BenchCommand.encode([.quit])) } catch { throw .link(error) }
    }

    /// Sends commands and waits until the daemon has nothing more to do.
    private func obey(_ commands: [BenchCommand]) throws(BenchError) {
        do { try link.send(BenchCommand.encode(commands)) } catch { throw .link(error) }
        try takeReports()
    }

    /// Takes the daemon's reports up to the report `idle`, advances the device to the instant in this report, and tells
    /// the device what the daemon has done.
    private func takeReports() throws(BenchError) {
        var reports: [BenchReport] = []
        var refusal: String?
        while true {
            switch try nextReport() {
            case .idle(let idle):
                self.idle = idle
                letChipsLive(until: idle.now)
                tell(reports)
                if let refusal { throw .refused(refusal) }
                return
            case .error(let text): refusal = text
            case .transfer(let transfer): try answer(transfer)
            case let report: reports.append(report)
            }
        }
    }

    /// Carries out an I2C transfer on the emulated bus and sends the answer to the daemon, which waits for it.
    private func answer(_ transfer: BenchTransfer) throws(BenchError) {
        letChipsLive(until: transfer.instant)
        let answer = chips.carryOut(transfer.transfer)
        do { try link.send(answer.encoded()) } catch { throw .link(error) }
    }

    private func letChipsLive(until instant: MonotonicInstant) {
        let before = chipsInstant ?? instant
        chipsInstant = instant
        // The start and the end of the chips' time step are truncated to microseconds before the subtraction, so that
        // rounding loses no microsecond over many steps.
        chips.pass(microseconds: Int(instant.nanoseconds / 1000 - before.nanoseconds / 1000))
    }

    private func nextReport() throws(BenchError) -> BenchReport {
        let line: [UInt8]?
        do {
            // Twice the time limit of `sextantd-bench`: if `sextantd-bench` waits too long for a client, it reports an
            // error before this deadline.
            line = try link.readLine(deadline: Clock.now().advanced(byNanoseconds: 2 * BenchPatience.nanoseconds))
        } catch {
            throw .link(error)
        }
        guard let line else { throw .ended }
        do { return try BenchReport.decode(line) } catch { throw .format(error) }
    }

    private func tell(_ reports: [BenchReport]) {
        device.advance(to: now) { bytes, _ in
            for index in bytes.indices { unsent.append(bytes[index]) }
        }
        for report in reports {
            trace?.append((now, report))
            switch report {
            case .uart(let bytes): device.receive(bytes.span, at: now)
            case .setLine(let role, let level): device.setLine(role, level, at: now)
            case .setBaud(let baud): device.setBaud(baud, at: now)
            case .transmitterLow(let isLow): device.setInputLow(isLow, at: now)
            case .radio(let command): radio?.take(command)
            case .transfer, .error, .idle: break
            }
        }
    }
}
