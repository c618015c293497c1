public import Accelerometers
public import Hardware
public import Magnetism
public import Magnetometers
public import Units

/// A magnetometer and, for the tilt, an accelerometer on one bus, sampled together.
///
/// Both sleep between samples, unless the accelerometer watches for motion. A sample allocates nothing.
public struct CompassUnit: Sendable {
    private var magnetometer: any MagnetometerDriver
    private var accelerometer: (any AccelerometerDriver)?
    /// What the accelerometer watches for, so that it does so again after a failure; nil for nothing.
    private var threshold: MotionThreshold?
    /// Whether the chips are known to be asleep with their configuration set.
    private var isConfigured = false

    public init(magnetometer: any MagnetometerDriver, accelerometer: (any AccelerometerDriver)?) {
        self.magnetometer = magnetometer
        self.accelerometer = accelerometer
    }

    public var magnetometerModel: MagnetometerModel { magnetometer.model }
    public var accelerometerModel: AccelerometerModel? { accelerometer?.model }

    /// Takes one sample; `now` is asked once, when the measurements have ended.
    ///
    /// After a failure the chips are configured anew; where none came or a chip had lost its configuration, the sample is
    /// tried once more. What it throws then is the second failure's.
    public mutating func sample(
        over bus: inout some I2CBus & ~Copyable, at now: () -> MonotonicInstant
    ) throws(ChipError) -> CompassSample {
        do {
            try configureIfNeeded(over: &bus)
            return try measure(over: &bus, at: now)
        } catch {
            isConfigured = false
            try configureIfNeeded(over: &bus)
            switch error {
            case .notReady, .wasReset: break
            case .bus, .wrongIdentity, .badTrim: throw error
            }
        }
        do {
            return try measure(over: &bus, at: now)
        } catch {
            isConfigured = false
            // So that nothing measures on; a failure of this says no more than the one that is thrown.
            try? configureIfNeeded(over: &bus)
            throw error
        }
    }

    /// Lets the accelerometer's interrupt pin tell of motion from now on; nil to let it sleep.
    ///
    /// Without an accelerometer it does nothing.
    public mutating func watchMotion(
        _ threshold: MotionThreshold?, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        self.threshold = threshold
        isConfigured = false
        try configureIfNeeded(over: &bus)
    }

    private mutating func configureIfNeeded(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        guard !isConfigured else { return }
        try magnetometer.configure(over: &bus)
        if let threshold {
            try accelerometer?.watchMotion(threshold, over: &bus)
        } else {
            try accelerometer?.configure(over: &bus)
        }
        isConfigured = true
    }

    private mutating func measure(
        over bus: inout some I2CBus & ~Copyable, at now: () -> MonotonicInstant
    ) throws(ChipError) -> CompassSample {
        let acceleration = try accelerometer?.start(over: &bus) ?? 0
        let field = try magnetometer.start(over: &bus)
        bus.wait(microseconds: max(acceleration, field))
        let instant = now()
        let reading = try magnetometer.read(over: &bus)
        let force = try accelerometer?.read(over: &bus)
        return CompassSample(
            instant: instant, field: reading.field, isSaturated: reading.isSaturated, acceleration: force)
    }
}
