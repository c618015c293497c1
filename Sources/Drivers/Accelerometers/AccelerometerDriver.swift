public import Hardware

/// The driver of one accelerometer, written from its data sheet as straight-line code over a bus.
///
/// The chip sleeps between two measurements, unless it watches for motion. The frame is the right-handed one of the
/// package's drawing.
public protocol AccelerometerDriver: Sendable {
    var model: AccelerometerModel { get }
    var address: I2CAddress { get }
    /// Puts the chip to sleep from any state, with its configuration set.
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement, and returns the longest time that it takes. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started: the specific force, which at rest is 9.8 along the axis that points up.
    ///
    /// The chip sleeps, or goes on watching, when this returns. Unit: m/s².
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double>
    /// Makes the interrupt pin signal motion, at the chip's lowest power, until `configure` is called.
    ///
    /// Some chips hold the pin until a measurement is read, and some take their present attitude as the reference.
    /// Calling this method after each motion releases the pin and renews the reference.
    mutating func watchMotion(_ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Latches the interrupt pin of a chip that watches for motion, so that the pin stays active after a motion, or
    /// lets the pin follow the motion again.
    ///
    /// - Returns: Whether the chip can latch its pin; a chip that cannot is left unchanged.
    func latchMotion(_ isLatched: Bool, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool
    /// Whether a motion was felt since the pin was latched; nil where it is not latched, or the chip cannot latch it.
    ///
    /// This call releases the pin.
    func latchedMotion(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool?
}

extension AccelerometerDriver {
    public func latchMotion(
        _ isLatched: Bool, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> Bool { false }

    public func latchedMotion(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool? { nil }
}

/// The acceleration and duration at which an accelerometer's interrupt signals motion.
public struct MotionThreshold: Sendable, Hashable {
    /// How far the acceleration must depart from its slow mean.
    ///
    /// Unit: m/s².
    public var acceleration: Double
    /// How long the acceleration must depart from its slow mean.
    ///
    /// Unit: seconds.
    public var duration: Double

    public init(acceleration: Double, duration: Double) {
        self.acceleration = acceleration
        self.duration = duration
    }
}
