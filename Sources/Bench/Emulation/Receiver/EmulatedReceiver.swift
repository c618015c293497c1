import Epochs
import GNSS
public import Receivers
public import SextantUnits
import UBX

/// An emulated GNSS receiver in virtual time that is powered, configured, put to sleep and woken like a real one.
///
/// Its position follows a true trajectory, and after each start it needs as long for a fix as its model does.
///
/// The caller lets time pass: `advance` hands out the bytes that the UART has sent by an instant. Before calling
/// `receive`, `setLine` or `hostBaud`, call `advance` with the same instant; otherwise bytes that were due earlier are
/// handed out late. The same calls with the same seed give the same bytes.
public struct EmulatedReceiver: Sendable {
    enum Phase: Sendable {
        case unpowered
        /// Held by the reset line.
        case reset
        case sleeping
        case booting
        case searching
        case tracking
        /// The processor runs while GNSS is stopped (CFG-RST 8, PAIR003).
        case stopped
    }

    /// For each kind of event, the instant at which the next one is due, in nanoseconds of the bench's clock.
    struct Deadlines: Sendable {
        var backup = Int64.max
        var wake = Int64.max
        var sleep = Int64.max
        var boot = Int64.max
        var sky = Int64.max
        var loss = Int64.max
        var fix = Int64.max
        var optimized = Int64.max
        var epoch = Int64.max

        var earliest: Int64 {
            min(
                min(backup, wake, sleep), min(boot, sky, loss), min(fix, optimized, epoch)
            )
        }

        /// Cancels all scheduled events except the end of the backup supply.
        mutating func clear() {
            let backup = backup
            self = Deadlines()
            self.backup = backup
        }
    }

    /// The levels of the lines that the host drives.
    struct Lines: Sendable {
        var isResetHeld = false
        var isWakeHigh = true
        var isBackupOn = true
    }

    /// The firmware since its last start; instants are in nanoseconds of the bench's clock.
    struct Firmware: Sendable {
        var startedAt: Int64 = 0
        /// The instant until which bytes from the host are lost, because the UART is not up yet.
        var deafUntil: Int64 = 0
        /// The time in nanoseconds from the start to the first fix; nil if there has been no fix since.
        var firstFixAfter: Int64?
    }

    /// The satellites in view, which are computed anew only now and then.
    struct ViewedSky: Sendable {
        var view = SyntheticSky.View(satellites: [], dilution: DilutionOfPrecision())
        /// The instant, in nanoseconds of the bench's clock, from which the view is out of date.
        var until = Int64.min
        var isOfFix = false
    }

    public let model: ReceiverModel
    let personality: Personality
    var trajectory: Trajectory
    let mask: MaskIntervals
    let options: Options
    let powerDraw: PowerDraw
    let startTimes: StartTimes
    let sky: SyntheticSky
    let seed: UInt64

    var now: Int64
    var phase = Phase.unpowered
    var deadlines = Deadlines()
    var random: SplitMix64
    var noise: TrackingNoise

    /// The receiver's present power draw in milliwatts.
    public internal(set) var draw = 0.0
    /// The energy that the receiver has drawn since the start, in millijoules.
    public private(set) var energy = 0.0

    var lines = Lines()
    /// The board's backup cell; nil if the board has another backup supply or none.
    var cell: BackupCell?

    var layers: EmulatedConfiguration
    var settings: ReceiverSettings
    var memory = RetainedMemory()
    /// The battery-backed memory and configuration that UPD-SOS has saved to flash; nil if there is no such backup.
    var savedOnFlash: (memory: RetainedMemory, configuration: EmulatedConfiguration.Items)?
    var restoration = UpdSOS.Restoration.unknown
    var restoring: DatabaseRestoration?

    var stream = ReceiverStream()
    var firmware = Firmware()
    var sleepOrder = SleepOrder()

    var transmit = TransmitQueue()
    var dump: DatabaseDump?
    private var garbage: [UInt8] = []
    /// The baud rate of the host's UART; bytes in both directions are garbled while it differs from the receiver's
    /// rate.
    ///
    /// Nil for a host whose rate always equals the receiver's; ignored if the receiver is at USB.
    public var hostBaud: Int?

    var search: SatelliteSearch
    var trackingSince: Int64 = 0
    var isOptimized = false
    var epochCount = 0
    var viewedSky = ViewedSky()
    var lastCourse = 0.0

    public init(
        model: ReceiverModel, trajectory: Trajectory, mask: MaskIntervals = .none, seed: UInt64,
        options: Options = Options()
    ) {
        self.model = model
        self.trajectory = trajectory
        self.mask = mask
        self.options = options
        self.seed = seed
        personality = Personality(model)
        powerDraw = model.powerDraw
        startTimes = model.startTimes
        random = SplitMix64(seed: seed)
        noise = TrackingNoise(seed: random.next(), surroundings: options.surroundings)
        search = SatelliteSearch(since: 0, random: &random, isEven: options.searchesTakeMedian)
        sky = SyntheticSky(
            constellations: personality.constellations, longitude: trajectory.points[0].longitude, seed: random.next())
        var defaults = personality.defaults
        if let baud = options.baud { defaults[UBXConfigurationKey.uart1Baud.rawValue] = UInt64(baud) }
        if options.isAtUSB { ReceiverSettings.addUSB(to: &defaults) }
        layers = EmulatedConfiguration(defaults: defaults)
        settings = ReceiverSettings(layers.inForce, isAtUSB: options.isAtUSB)
        now = options.start.nanoseconds
        cell = BackupCell(options.backup, at: now)
        lines.isBackupOn = options.backup != .none
        rememberStart()
        if options.isPoweredAtStart { powerUp() } else { powerDown() }
    }

    private mutating func rememberStart() {
        guard let age = options.ephemerisAgeAtStart, isBackupAlive else { return }
        memory.isTimeKnown = true
        memory.isPositionKnown = true
        memory.ephemerisTime = utc(now) - age
    }

    // MARK: State

    public var powerState: EmulatedPowerState {
        switch phase {
        case .unpowered: isBackupAlive ? .sleep(.hardware) : .off
        case .sleeping: .sleep(.software)
        case .reset, .booting, .searching, .stopped: .acquire
        case .tracking: .track
        }
    }

    /// Whether the receiver is in cyclic tracking, where it tracks for a part of each second only; `draw` is then the
    /// mean.
    public var isTrackingCyclically: Bool { phase == .tracking && isOptimized }

    /// The present baud rate of the receiver's UART, in bits per second.
    public var baud: Int { settings.baud }

    var isPowered: Bool { phase != .unpowered }
    /// Whether the firmware has started and sends reports.
    var isRunning: Bool { phase == .searching || phase == .tracking || phase == .stopped }

    // MARK: Time

    /// The instant at which the receiver will next send bytes or change its state by itself; nil for never.
    public var nextEvent: MonotonicInstant? {
        let next = min(deadlines.earliest, transmit.due(nanosecondsPerByte: settings.nanosecondsPerByte))
        return next == .max ? nil : MonotonicInstant(nanoseconds: next)
    }

    /// The next instant at which the receiver's state can change by itself; nil for never.
    ///
    /// Sending does not count as a change.
    public var nextChange: MonotonicInstant? {
        let next = deadlines.earliest
        return next == .max ? nil : MonotonicInstant(nanoseconds: next)
    }

    /// Lets time pass up to and including `instant`, and calls `emit` with the bytes that the UART sends until then, in
    /// order.
    public mutating func advance(
        to instant: MonotonicInstant, emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void
    ) {
        while true {
            let due = transmit.due(nanosecondsPerByte: settings.nanosecondsPerByte)
            let event = deadlines.earliest
            guard min(due, event) <= instant.nanoseconds else { break }
            if due <= event { send(at: due, emit) } else { runEvent(at: event) }
        }
        pass(to: instant.nanoseconds)
    }

    /// Lets time pass without handing out bytes; `advance` hands them out later, with the instants at which they were
    /// due.
    mutating func settle(to instant: Int64) {
        while deadlines.earliest <= instant { runEvent(at: deadlines.earliest) }
        pass(to: instant)
    }

    private mutating func runEvent(at instant: Int64) {
        pass(to: instant)
        handleEvents()
    }

    private mutating func pass(to instant: Int64) {
        guard instant > now else { return }
        energy += draw * Double(instant - now) / 1e9
        now = instant
    }

    private mutating func send(
        at instant: Int64, _ emit: (borrowing Span<UInt8>, MonotonicInstant) -> Void
    ) {
        pass(to: instant)
        let piece = transmit.piece(nanosecondsPerByte: settings.nanosecondsPerByte)
        if let hostBaud, hostBaud != settings.baud, !options.isAtUSB {
            spoil(byteCount: piece.count * hostBaud / settings.baud)
            emit(garbage.span, MonotonicInstant(nanoseconds: instant))
        } else {
            emit(transmit.bytes.span.extracting(piece), MonotonicInstant(nanoseconds: instant))
        }
        transmit.drop(piece, at: instant)
        continueDump()
    }

    /// Makes the garbage that a UART at a wrong baud rate reads from the line.
    private mutating func spoil(byteCount: Int) {
        garbage.removeAll(keepingCapacity: true)
        for _ in 0..<max(byteCount, 1) { garbage.append(UInt8(truncatingIfNeeded: random.next())) }
    }

    /// Converts an instant of the bench's clock to UTC, in seconds since 1970.
    public func unixSeconds(at instant: MonotonicInstant) -> Double { utc(instant.nanoseconds) }

    func utc(_ instant: Int64) -> Double {
        trajectory.startTime + Double(instant - options.start.nanoseconds) / 1e9
    }

    func instant(ofUTC seconds: Double) -> Int64 {
        options.start.nanoseconds + Int64(((seconds - trajectory.startTime) * 1e9).rounded())
    }
}
