internal import Emulation
internal import Glibc
internal import Hardware
internal import Receivers
internal import SextantReactor
internal import SextantUnits

/// The emulated hardware of the QEMU guest, in real time: the receiver at the UART, and a CP2112 USB bridge with I2C
/// chips and GPIO lines.
///
/// A class, because the handlers of the bench's connections and the scenario's steps share it.
final class EmulatedBoard {
    /// The state of a GPIO line on its wire.
    struct LineState: Equatable {
        var level: Bool
        /// Whether the guest drives the line as an output; the guest never drives the motion sensor's interrupt.
        var isDriven: Bool
    }

    /// The GPIO lines of the bridge: for each its role, its number on the bridge, and whether the guest can drive it.
    static let lines: [(role: LineRole, offset: Int, isOutput: Bool)] = [
        (.wake, 1, true), (.powerEnable, 2, true), (.motionInterrupt, 3, false),
    ]

    /// The pseudo-terminal on this machine that the guest's UART is connected to.
    let terminal: PseudoTerminal
    private(set) var receiver: EmulatedReceiver
    var bridge: EmulatedCP2112
    let magnetometer: EmulatedHMC5883L
    let accelerometer: EmulatedLIS3DH
    /// The direction of the board's top edge, in degrees clockwise from magnetic north.
    var heading = 0.0
    /// Where the next receiver is placed, in metres east of the bench's usual position.
    var metresEast = 0.0
    var isShaken = false
    /// Whether the wires between the receiver and the guest's UART are in place.
    var isUARTPlugged = true
    /// Called when a GPIO line changes its level, or starts or stops being driven.
    var lineChanged: (LineRole, LineState) -> Void = { _, _ in }
    var receiverChanged: (EmulatedPowerState) -> Void = { _ in }

    /// The emulated host switch, which cuts and restores the guest's supply; nil for a board without one.
    private(set) var hostSwitch: EmulatedHostSwitch?
    /// Nanoseconds by which the board's time is ahead of this machine's, because the bench skipped times at which the
    /// board was off.
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

    /// The magnetic field at the board in µT along right, forward and up; the board is level, and the Earth's field has
    /// 20 µT towards magnetic north and 44 µT down.
    private var field: SIMD3<Double> {
        let angle = heading * .pi / 180
        return SIMD3(-20 * sin(angle), 20 * cos(angle), -44)
    }

    /// The acceleration in m/s² along right, forward and up: gravity, and while the board is shaken an oscillation to
    /// the right and left of 3 m/s² at 2 Hz.
    private var acceleration: SIMD3<Double> {
        let phase = Double(lived.nanoseconds % 500_000_000) / 500_000_000 * 2 * .pi
        return SIMD3(isShaken ? 3 * sin(phase) : 0, 0, 9.80665)
    }

    // MARK: The receiver

    /// Replaces the receiver by another one, which has no supply until the guest switches the line `powerEnable` on.
    ///
    /// - Parameters:
    ///   - ephemerisAge: Seconds since the new receiver got its ephemerides; nil for a receiver without ephemerides,
    ///     time and position.
    ///   - speed: The receiver's speed to the east during the next hour, in metres per second.
    ///   - baud: The baud rate that the receiver starts with, in bits per second; nil for the model's default.
    func place(_ model: ReceiverModel, ephemerisAge: Double?, speed: Double, baud: Int? = nil) {
        receiver = EmulatedBoard.receiver(
            model, ephemerisAge: ephemerisAge, speed: speed, baud: baud, at: utc, metresEast: metresEast)
        isAtUSB = false
        for (role, state) in told where role != .motionInterrupt {
            receiver.setLine(role, state.level, at: Clock.now())
        }
        tellState()
    }

    /// Replaces the receiver by one at a USB port; in the guest `scripts/guests/usb-receiver` relays the UART's bytes
    /// through an emulated USB device.
    ///
    /// The receiver is supplied through USB, and no GPIO line leads to it.
    func plugIntoUSB(_ model: ReceiverModel) {
        receiver = EmulatedBoard.receiver(model, ephemerisAge: 600, speed: 0, baud: nil, at: utc, isAtUSB: true)
        isAtUSB = true
        tellState()
    }

    /// Unplugs the receiver from USB, which ends its supply.
    func unplugFromUSB() { place(receiver.model, ephemerisAge: 600, speed: 0) }

    /// Moves the receiver along a trajectory that starts now; the trajectory's start is put at the receiver's present
    /// position.
    func carry(along way: Trajectory) { receiver.carry(along: way, from: Clock.now()) }

    /// The distance in metres from the receiver's present true position to a place, given in degrees north and east.
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

    /// Puts a host switch on the board's I2C bus; nil removes the switch and sets the board's time back to this
    /// machine's.
    func fit(_ chip: EmulatedHostSwitch?) {
        bridge.chips = [magnetometer, accelerometer]
        if let chip { bridge.chips.append(chip) } else { (ahead, metresEast) = (0, 0) }
        hostSwitch = chip
    }

    /// The date and time at the board, which is ahead of this machine's after skipped sleeps.
    var utc: UTCInstant { Clock.utc().advanced(byNanoseconds: ahead) }

    /// Skips the time for which the board is off, until its host switch supplies it again, but at most `limit` seconds.
    ///
    /// - Returns: The number of seconds skipped.
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
        // The receiver's time must advance as well; otherwise the daemon would set the host switch's clock back to the
        // receiver's time.
        place(receiver.model, ephemerisAge: 600, speed: 0)
        return skipped
    }

    // MARK: Time

    /// The next instant at which the emulated hardware does something by itself; nil if there is none.
    var nextEvent: MonotonicInstant? {
        let shake = isShaken ? lived.advanced(byNanoseconds: 20_000_000) : nil
        // The clock of a host switch ticks each second; at each tick the bench also notices whether the guest has
        // ended.
        let second = hostSwitch == nil ? nil : lived.advanced(byNanoseconds: 1_000_000_000)
        return [receiver.nextEvent, shake, second].compactMap(\.self).min()
    }

    /// Advances the emulated hardware to the present instant.
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

    /// Advances the I2C chips in steps of 10 ms, so that a chip that samples between two calls sees how the motion
    /// changes.
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
            // Bytes for which the guest's UART has no room are lost, as on a wire.
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

    /// Reports the GPIO lines that have changed, and gives the receiver the levels of the lines that the guest can
    /// drive.
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

    /// The message that plugs the CP2112 bridge into the guest's kernel; it contains the HID descriptor.
    static var plug: String { "plug CP2112 \(Hexadecimal.text(EmulatedCP2112.descriptor))" }

    /// Switches the CP2112 bridge's supply off and on; afterwards pull-down resistors hold all GPIO lines low.
    func powerCycleBridge() {
        live()
        bridge.powerCycle()
        tellLines()
    }

    /// Answers a request that the guest's kernel sends to the CP2112 bridge through `scripts/guests/uhid-pipe`; nil if
    /// there is no answer.
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
