public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers
public import SextantUnits

/// A magnetometer and an accelerometer, for the tilt, on one bus, which are sampled together; either can be absent.
///
/// Both sleep between samples, unless the accelerometer watches for motion. If one cannot be configured, the other
/// still is; the accelerometer comes first, because the magnetometer can be connected through it. Taking a sample
/// allocates no memory.
public struct CompassUnit: Sendable {
    private var magnetometer: (any MagnetometerDriver)?
    private var accelerometer: (any AccelerometerDriver)?
    /// The threshold at which the accelerometer signals motion, set again after a failure; nil while it does not watch
    /// for motion.
    private var threshold: MotionThreshold?
    private var isMagnetometerConfigured = false
    /// Whether the accelerometer is known to be asleep, or watching, with its configuration set.
    private var isAccelerometerConfigured = false
    /// The longest duration that the magnetometer's driver gave for its newest measurement; 0 before the first.
    ///
    /// Unit: microseconds.
    private var fieldTime = 0
    private var lastInstant: MonotonicInstant?

    /// The largest difference between the durations of the two measurements up to which both are started at once.
    ///
    /// The field is then older than the acceleration by at most this much, but the host need not wake up between two
    /// starts. Unit: microseconds.
    private static let toleratedAge = 20_000
    /// The time without a sample, in nanoseconds, after which the magnetometer's driver is told of a pause.
    private static let longestPause: Int64 = 10_000_000_000

    public init(magnetometer: (any MagnetometerDriver)?, accelerometer: (any AccelerometerDriver)?) {
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// Replaces the magnetometer, which is configured before its first measurement; nil removes it.
    public mutating func use(_ magnetometer: (any MagnetometerDriver)?) {
        self.magnetometer = magnetometer
        isMagnetometerConfigured = false
    }

    /// Takes one sample; nil without a magnetometer.
    ///
    /// After a failure both chips are configured again. If the failure was that data were missing or that a chip had
    /// lost its configuration, the sample is tried once more; if that fails too, the second failure is thrown.
    ///
    /// - Parameter now: The clock; the sample's instant is the end of the field's measurement.
    public mutating func sample(
        over bus: inout some I2CBus & ~Copyable, at now: () -> MonotonicInstant
    ) throws(ChipError) -> CompassSample? {
        do {
            try configure(over: &bus)
            return try measure(over: &bus, at: now)
        } catch {
            forget()
            try configure(over: &bus)
            switch error {
            case .notReady, .wasReset: break
            case .bus, .wrongIdentity, .badTrim: throw error
            }
        }
        do {
            return try measure(over: &bus, at: now)
        } catch {
            forget()
            // Configuring the chips stops a measurement that still runs. If it fails, its error is dropped, because the
            // one thrown below tells enough.
            try? configure(over: &bus)
            throw error
        }
    }

    /// Configures each chip that is not known to be configured; then the magnetometer sleeps, and the accelerometer
    /// sleeps or watches for motion.
    ///
    /// If one chip fails, the other is still configured.
    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        do {
            try configureAccelerometer(over: &bus)
        } catch {
            // If the magnetometer fails too, its error is dropped, because the accelerometer's error is thrown below.
            try? configureMagnetometer(over: &bus)
            throw error
        }
        try configureMagnetometer(over: &bus)
    }

    /// Makes the accelerometer's interrupt pin signal motion beyond the threshold, anew even if it did so already; with
    /// nil, lets the chip sleep.
    ///
    /// The magnetometer is not accessed. Without an accelerometer the call does nothing.
    public mutating func watchMotion(
        _ threshold: MotionThreshold?, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        self.threshold = threshold
        isAccelerometerConfigured = false
        try configureAccelerometer(over: &bus)
    }

    private mutating func forget() {
        isMagnetometerConfigured = false
        isAccelerometerConfigured = false
    }

    private mutating func configureMagnetometer(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        guard !isMagnetometerConfigured else { return }
        try magnetometer?.configure(over: &bus)
        isMagnetometerConfigured = true
    }

    private mutating func configureAccelerometer(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        guard !isAccelerometerConfigured else { return }
        if let threshold {
            try accelerometer?.watchMotion(threshold, over: &bus)
        } else {
            try accelerometer?.configure(over: &bus)
        }
        isAccelerometerConfigured = true
    }

    /// Measures the magnetic field and the acceleration so that both measurements end together.
    ///
    /// The next sample of an accelerometer that watches for motion can be 0.2 s away, and a field measured at once
    /// would be that old by then.
    private mutating func measure(
        over bus: inout some I2CBus & ~Copyable, at now: () -> MonotonicInstant
    ) throws(ChipError) -> CompassSample? {
        guard magnetometer != nil else { return nil }
        if let lastInstant, now().nanoseconds(since: lastInstant) > CompassUnit.longestPause { magnetometer?.paused() }
        let forceTime = try accelerometer?.start(over: &bus) ?? 0
        let difference = forceTime - fieldTime
        let lead = difference > CompassUnit.toleratedAge ? difference : 0
        if lead > 0 { bus.wait(microseconds: lead) }
        fieldTime = try magnetometer?.start(over: &bus) ?? 0
        bus.wait(microseconds: max(fieldTime, forceTime - lead))
        let instant = now()
        lastInstant = instant
        guard let reading = try magnetometer?.read(over: &bus) else { return nil }
        let force = try accelerometer?.read(over: &bus)
        return CompassSample(
            instant: instant, field: reading.field, isSaturated: reading.isSaturated, acceleration: force)
    }
}
