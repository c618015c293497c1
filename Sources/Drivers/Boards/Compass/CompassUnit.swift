public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers
public import SextantUnits

/// A magnetometer and, for the tilt, an accelerometer on one bus, sampled together; either can be absent.
///
/// Both sleep between samples, unless the accelerometer watches for motion. A failure of one does not affect the other:
/// each is configured separately, the accelerometer first, because the magnetometer can be connected through it. Taking
/// a sample allocates no memory.
public struct CompassUnit: Sendable {
    private var magnetometer: (any MagnetometerDriver)?
    private var accelerometer: (any AccelerometerDriver)?
    /// The threshold that the accelerometer watches for, restored after a failure; nil where it does not watch.
    private var threshold: MotionThreshold?
    /// Whether the magnetometer is known to be asleep with its configuration set.
    private var isMagnetometerConfigured = false
    /// Whether the accelerometer is known to be asleep, or watching, with its configuration set.
    private var isAccelerometerConfigured = false
    /// The duration that the magnetometer gave for its last measurement; 0 before the first.
    ///
    /// Unit: microseconds.
    private var fieldTime = 0
    /// The instant of the last sample.
    private var lastInstant: MonotonicInstant?

    /// The largest accepted age of the field at its sample's instant; accepting it saves the host a wake-up between the
    /// starts of the two measurements.
    ///
    /// Unit: microseconds.
    private static let toleratedAge = 20_000
    /// If no sample was taken for longer than this, the magnetometer's driver is told of the pause; nanoseconds.
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
    /// After a failure the chips are configured again. If data were missing or a chip had lost its configuration, the
    /// sample is tried once more, and the error thrown is that of the second failure.
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
            // Configuring stops any running measurement. A failure to configure would add nothing to the error thrown
            // below.
            try? configure(over: &bus)
            throw error
        }
    }

    /// Configures each chip that is not known to be configured, and lets it sleep, or watch for motion.
    ///
    /// An error of one chip does not keep the other from being configured.
    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        do {
            try configureAccelerometer(over: &bus)
        } catch {
            // If the magnetometer fails as well, its error adds nothing to the accelerometer's, which is thrown below.
            try? configureMagnetometer(over: &bus)
            throw error
        }
        try configureMagnetometer(over: &bus)
    }

    /// Makes the accelerometer's interrupt pin signal motion, even if it already does; with nil, lets the chip sleep.
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
    /// An accelerometer that watches for motion takes its next sample up to 0.2 s later, and a field measured before
    /// that would be 0.2 s old.
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
