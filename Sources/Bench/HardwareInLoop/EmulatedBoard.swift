internal import Emulation
internal import Glibc
internal import Hardware
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The hardware behind the guest's kernel, in real time: the receiver at the UART, and a CP2112 bridge with chips and
/// lines.
///
/// A class, because the links' handlers and the scenario's steps share it.
final class EmulatedBoard {
    /// A line as seen on its wire.
    struct LineState: Equatable {
        var level: Bool
        /// Whether the host drives the line; the host never drives an input.
        var isDriven: Bool
    }

    /// The bridge's lines: for each its role, its offset, and whether the host drives it.
    static let lines: [(role: LineRole, offset: Int, isOutput: Bool)] = [
        (.wake, 1, true), (.powerEnable, 2, true), (.motionInterrupt, 3, false),
    ]

    /// The terminal that the guest's UART leads to.
    let terminal: PseudoTerminal
    private(set) var receiver: EmulatedReceiver
    var bridge: EmulatedCP2112
    let magnetometer: EmulatedHMC5883L
    let accelerometer: EmulatedLIS3DH
    /// The direction of the board's top edge, in degrees clockwise from magnetic north.
    var heading = 0.0
    /// The position of a newly placed receiver at rest, in metres east of the original position.
    var metresEast = 0.0
    /// Whether the board is being shaken.
    var isShaken = false
    /// Whether the wires of the UART are in place.
    var isUARTPlugged = true
    /// Called with every change of a line.
    var lineChanged: (LineRole, LineState) -> Void = { _, _ in }
    var receiverChanged: (EmulatedPowerState) -> Void = { _ in }

    /// The emulated host switch, which cuts and restores the guest's supply; nil for a board without one.
    private(set) var hostSwitch: EmulatedHostSwitch?
    /// Nanoseconds by which the board's time is ahead of this machine's, because sleeps were skipped.
    private var ahead: Int64 = 0
    private var lived = Clock.now()
    private var isAtUSB = false
    private var told: [LineRole: LineState] = [:]
    private var toldState: EmulatedPowerState?
    private var input = [UInt8](repeating: 0, count: 4096)

    init(reactor: Reactor) throws(LoopFailure) {
        let scene = SensorScene()
        magnetometer = EmulatedHMC5883L(scene: scene)
        accelerometer = EmulatedLIS3DH(scene: scene)
        bridge = EmulatedCP2112(chips: [magnetometer, accelerometer])
        receiver = EmulatedBoard.receiver(.neoM8N, ephemerisAge: nil, speed: 0, baud: nil, at: Clock.utc())
        do {
            terminal = try PseudoTerminal(keepingSlaveOpen: true)
            try terminal.register(with: reactor) { [unowned self] event in
                if case .readable = event { listen() }
                reactor.stop()
            }
        } catch {
            throw LoopFailure(.board, "a pseudo-terminal for the guest's UART: \(error)")
        }
        scene.field = { [unowned self] in field }
        scene.acceleration = { [unowned self] in acceleration }
        accelerometer.interruptChanged = { [unowned self] level in setWire(.motionInterrupt, level) }
    }

    // MARK: Measured quantities

    /// The magnetic field of a level board along right, forward and up: 20 µT to magnetic north and 44 µT down.
    private var field: SIMD3<Double> {
        let angle = heading * .pi / 180
        return SIMD3(-20 * sin(angle), 20 * cos(angle), -44)
    }

    /// The acceleration in m/s²: gravity, and while the board is shaken also 3 m/s² alternating twice a second.
    private var acceleration: SIMD3<Double> {
        let phase = Double(lived.nanoseconds % 500_000_000) / 500_000_000 * 2 * .pi
        return SIMD3(isShaken ? 3 * sin(phase) : 0, 0, 9.80665)
    }

    // MARK: The receiver

    /// Replaces the receiver by another one, which has no supply until its `powerEnable` line switches the supply on.
    ///
    /// - Parameters:
    ///   - ephemerisAge: Seconds since the receiver got its ephemerides; nil if it knows nothing.
    ///   - speed: The receiver's speed to the east during the next hour, in metres per second.
    ///   - baud: The rate that the receiver starts with, in bits per second; nil for the model's own.
    func place(_ model: ReceiverModel, ephemerisAge: Double?, speed: Double, baud: Int? = nil) {
        receiver = EmulatedBoard.receiver(
            model, ephemerisAge: ephemerisAge, speed: speed, baud: baud, at: utc, metresEast: metresEast)
        isAtUSB = false
        for (role, state) in told where role != .motionInterrupt {
            receiver.setLine(role, state.level, at: Clock.now())
        }
        tellState()
    }

    /// Replaces the receiver by one at USB; the guest relays it from the UART (`scripts/guests/usb-receiver`).
    ///
    /// The receiver is supplied through USB, and no line leads to it.
    func plugIntoUSB(_ model: ReceiverModel) {
        receiver = EmulatedBoard.receiver(model, ephemerisAge: 600, speed: 0, baud: nil, at: utc, isAtUSB: true)
        isAtUSB = true
        tellState()
    }

    /// Unplugs the receiver from USB, which ends its supply.
    func unplugFromUSB() { place(receiver.model, ephemerisAge: 600, speed: 0) }

    /// Moves the receiver along a trajectory, starting now at its present position.
    func carry(along way: Trajectory) { receiver.carry(along: way, from: Clock.now()) }

    /// Metres from the receiver's present true position to a place in degrees north and east.
    func distance(to place: (latitude: Double, longitude: Double)) -> Double {
        let truth = receiver.truth(at: Clock.now())
        let metres = 111_195.0
        let north = (place.latitude - truth.latitude) * metres
        let east = (place.longitude - truth.longitude) * metres * cos(truth.latitude * .pi / 180)
        return hypot(north, east)
    }

    private static func receiver(
        _ model: ReceiverModel, ephemerisAge: Double?, speed: Double, baud: Int?, at instant: UTCInstant,
        metresEast: Double = 0, isAtUSB: Bool = false
    ) -> EmulatedReceiver {
        var options = EmulatedReceiver.Options()
        options.start = Clock.now()
        options.isAtUSB = isAtUSB
        options.isPoweredAtStart = isAtUSB
        options.ephemerisAgeAtStart = ephemerisAge
        options.baud = baud
        options.searchesTakeMedian = true
        let start = Double(instant.nanoseconds) / 1e9
        let latitude = 47.3769
        // Metres per degree of longitude at this latitude, on a sphere of 6371 km.
        let metresPerDegree = 111_195 * cos(latitude * .pi / 180)
        let longitude = 8.5417 + metresEast / metresPerDegree
        var points = [TrajectoryPoint(time: start, latitude: latitude, longitude: longitude, altitude: 408)]
        if speed > 0 {
            let end = longitude + speed * 3600 / metresPerDegree
            points.append(TrajectoryPoint(time: start + 3600, latitude: latitude, longitude: end, altitude: 408))
        }
        return EmulatedReceiver(model: model, trajectory: Trajectory(points: points), seed: 7, options: options)
    }

    // MARK: The host's switch

    /// Puts a switch on the board's bus; nil removes the switch and sets the board's time back to this machine's.
    func fit(_ chip: EmulatedHostSwitch?) {
        bridge.chips = [magnetometer, accelerometer]
        if let chip { bridge.chips.append(chip) } else { (ahead, metresEast) = (0, 0) }
        hostSwitch = chip
    }

    /// The board's own date and time.
    var utc: UTCInstant { Clock.utc().advanced(byNanoseconds: ahead) }

    /// Skips the time of a board without a supply until its switch supplies it again, for at most `limit` seconds.
    ///
    /// - Returns: How many seconds it skipped.
    func skipSleep(atMost limit: Int) -> Int {
        live()
        guard let hostSwitch else { return 0 }
        let starts = hostSwitch.starts
        var skipped = 0
        while hostSwitch.starts == starts, skipped < limit {
            hostSwitch.pass(seconds: 1)
            skipped += 1
        }
        ahead += Int64(skipped) * 1_000_000_000
        // The receiver's time must advance as well; otherwise the daemon would set the switch's clock back to it.
        place(receiver.model, ephemerisAge: 600, speed: 0)
        return skipped
    }

    // MARK: Time

    /// The next instant at which the board does something by itself.
    var nextEvent: MonotonicInstant? {
        let shake = isShaken ? lived.advanced(byNanoseconds: 20_000_000) : nil
        // A switch's clock ticks each second; at each tick the bench also notices a guest that has ended meanwhile.
        let second = hostSwitch == nil ? nil : lived.advanced(byNanoseconds: 1_000_000_000)
        return [receiver.nextEvent, shake, second].compactMap(\.self).min()
    }

    /// Advances the board to the present instant.
    func live() {
        let now = Clock.now()
        letChipsLive(to: now)
        while let event = receiver.nextEvent, event <= now {
            advanceReceiver(to: event)
            tellState()
        }
        advanceReceiver(to: now)
        tellState()
    }

    /// Advances the chips in steps of 10 ms, so that a chip that samples in between sees the motion change.
    private func letChipsLive(to now: MonotonicInstant) {
        while lived < now {
            let next = min(now, lived.advanced(byNanoseconds: 10_000_000))
            let microseconds = Int(next.nanoseconds / 1000 - lived.nanoseconds / 1000)
            lived = next
            for chip in bridge.chips { chip.pass(microseconds: microseconds) }
        }
    }

    private func advanceReceiver(to instant: MonotonicInstant) {
        receiver.hostBaud = terminal.rate
        receiver.advance(to: instant) { bytes, _ in
            // Bytes that do not fit into the guest's UART are lost, as on a wire.
            if isUARTPlugged { _ = terminal.write(bytes) }
        }
    }

    private func listen() {
        live()
        while case .bytes(let count) = terminal.read(into: &input) {
            if isUARTPlugged { receiver.receive(input.span.extracting(0..<count), at: Clock.now()) }
        }
        tellState()
    }

    private func tellState() {
        guard receiver.powerState != toldState else { return }
        toldState = receiver.powerState
        receiverChanged(receiver.powerState)
    }

    // MARK: Lines

    func state(of role: LineRole) -> LineState { told[role] ?? LineState(level: false, isDriven: false) }

    private func setWire(_ role: LineRole, _ level: Bool) {
        guard let offset = EmulatedBoard.lines.first(where: { $0.role == role })?.offset else { return }
        if level { bridge.wires |= 1 << offset } else { bridge.wires &= ~(1 << offset) }
        tellLines()
    }

    /// Reports changed lines, and passes the lines that the host can drive on to the receiver.
    private func tellLines() {
        for (role, offset, isOutput) in EmulatedBoard.lines {
            let state = LineState(
                level: bridge.levels >> offset & 1 == 1, isDriven: bridge.outputs >> offset & 1 == 1)
            guard told[role] != state else { continue }
            told[role] = state
            if isOutput, !isAtUSB { receiver.setLine(role, state.level, at: Clock.now()) }
            lineChanged(role, state)
        }
        tellState()
    }

    // MARK: The bridge

    /// The line that announces the bridge to the guest's kernel when it is plugged in.
    static var plug: String { "plug CP2112 \(Hexadecimal.text(EmulatedCP2112.descriptor))" }

    /// Switches the bridge's supply off and on, after which the pull-downs hold all lines.
    func powerCycleBridge() {
        live()
        bridge.powerCycle()
        tellLines()
    }

    /// Answers a request from the guest's kernel to the bridge (`scripts/guests/uhid-pipe`).
    func answer(_ line: String) -> String? {
        live()
        let words = line.split(separator: " ")
        guard let verb = words.first, words.count >= 2 else { return nil }
        switch verb {
        case "get" where words.count == 3:
            let report = UInt8(words[2]).flatMap { bridge.feature($0) } ?? []
            return "got \(words[1]) \(Hexadecimal.text(report))"
        case "set" where words.count == 3:
            bridge.setFeature(Hexadecimal.bytes(words[2]))
            tellLines()
            return "done \(words[1])"
        case "output":
            return bridge.output(Hexadecimal.bytes(words[1])).map { "input \(Hexadecimal.text($0))" }
        default: return nil
        }
    }
}
