public import Hardware

/// One accelerometer: straight-line code over a bus, typed from its data sheet.
///
/// It sleeps between two measurements, unless it watches for motion. The frame is the right-handed one of the package's
/// drawing.
public protocol AccelerometerDriver: Sendable {
    var model: AccelerometerModel { get }
    var address: I2CAddress { get }
    /// Brings the chip from any state to sleep, with its configuration set.
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement; what it returns is how long it takes at the longest. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started: the specific force, at rest 9.8 along the axis that points up.
    ///
    /// The chip sleeps, or watches on, when this returns. Unit: m/s².
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double>
    /// Lets the interrupt pin tell of motion, at the chip's lowest power, until `configure`.
    ///
    /// Some chips hold the pin until a measurement is read, and some compare with the attitude that they have now:
    /// called again after a motion it serves both.
    mutating func watchMotion(_ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
}

/// When an accelerometer's interrupt tells of motion.
public struct MotionThreshold: Sendable, Hashable {
    /// How far the acceleration must depart from its slow mean.
    ///
    /// Unit: m/s².
    public var acceleration: Double
    /// For how long it must do so.
    ///
    /// Unit: seconds.
    public var duration: Double

    public init(acceleration: Double, duration: Double) {
        self.acceleration = acceleration
        self.duration = duration
    }
}
