public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers
public import Units

/// A magnetometer and, for the tilt, an accelerometer on one bus, sampled together; either may be alone.
///
/// Both sleep between samples, unless the accelerometer watches for motion. A failure of one does not affect the
/// other: each is configured for itself, the accelerometer first, since a magnetometer may stand behind it. A sample
/// allocates nothing.
public struct CompassUnit: Sendable {
    private var magnetometer: (any MagnetometerDriver)?
    private var accelerometer: (any AccelerometerDriver)?
    /// The threshold that the accelerometer watches for, set again after a failure; nil where it does not watch.
    private var threshold: MotionThreshold?
    /// Whether it is known to be asleep with its configuration set.
    private var isMagnetometerConfigured = false
    /// Whether it is known to be asleep, or to watch, with its configuration set.
    private var isAccelerometerConfigured = false
    /// How long the field's measurement takes, as it last said; 0 before it has said it.
    ///
    /// Unit: microseconds.
    private var fieldTime = 0
    /// The instant of the last sample.
    private var lastInstant: MonotonicInstant?

    /// How much older than its instant a field may be, rather than have the host woken once more for the sample.
    ///
    /// Unit: microseconds.
    private static let toleratedAge = 20_000
    /// Nanoseconds without a sample after which the magnetometer is told of the pause.
    private static let longestPause: Int64 = 10_000_000_000

    public init(magnetometer: (any MagnetometerDriver)?, accelerometer: (any AccelerometerDriver)?) {
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    /// Has the field measured by this one from now on, which is configured first.
    public mutating func use(_ magnetometer: (any MagnetometerDriver)?) {
        self.magnetometer = magnetometer
        isMagnetometerConfigured = false
    }

    /// Takes one sample; nil without a magnetometer.
    ///
    /// After a failure the chips are configured anew; where none came or a chip had lost its configuration, the sample is
    /// tried once more. The error thrown is then the second failure's.
    ///
    /// - Parameter now: The clock; the sample's instant is when the field's measurement has ended.
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
            // So that nothing measures on; a failure of this says no more than the one that is thrown.
            try? configure(over: &bus)
            throw error
        }
    }

    /// Brings both from any state to sleep, or to watch for motion, with their configuration set, where they are not known
    /// to be so.
    ///
    /// What one of them throws does not keep the other from it.
    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        do {
            try configureAccelerometer(over: &bus)
        } catch {
            // A failure of this says no more than the one that is thrown.
            try? configureMagnetometer(over: &bus)
            throw error
        }
        try configureMagnetometer(over: &bus)
    }

    /// Lets the accelerometer's interrupt pin tell of motion from now on, and anew where it did; nil to let it sleep.
    ///
    /// Nothing is said to the magnetometer. Without an accelerometer it does nothing.
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

    /// Measures so that both end together: what watches for motion has its next measurement up to 0.2 s later, and a field
    /// that was measured before would be that old.
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
