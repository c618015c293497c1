public import Hardware

/// The driver of one accelerometer, written from its data sheet as straight-line code over a bus.
///
/// The chip sleeps between two measurements, unless it watches for motion. The frame of the measurements is
/// right-handed, as in the drawing of the chip's package.
public protocol AccelerometerDriver: Sendable {
    var model: AccelerometerModel { get }
    var address: I2CAddress { get }
    /// Configures the chip and puts it to sleep, whatever state it was in.
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement, and returns the longest time that it takes. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started: the specific force, which at rest is 9.8 along the axis that points up.
    ///
    /// When this returns, the chip sleeps or, if it watches for motion, watches on. Unit: m/s².
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double>
    /// Makes the interrupt pin signal motion, at the chip's lowest power, until `configure` is called.
    ///
    /// Some chips hold the pin until a measurement is read, and some compare with the attitude that they had at this
    /// call. To call this method after each motion releases the pin and renews that attitude.
    mutating func watchMotion(_ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Switches the latch of the interrupt pin, for a chip that watches for motion: a latched pin stays active after a
    /// motion, an unlatched one follows the motion.
    ///
    /// - Returns: Whether the chip can latch its pin; a chip that cannot is left unchanged.
    func latchMotion(_ isLatched: Bool, over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool
    /// Whether the chip felt a motion since its pin was latched; nil if the pin is not latched, or the chip cannot
    /// latch it.
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
    /// The smallest deviation of the acceleration from its slow mean that counts as motion.
    ///
    /// Unit: m/s².
    public var acceleration: Double
    /// The shortest time for which the acceleration must deviate that much.
    ///
    /// Unit: seconds.
    public var duration: Double

    public init(acceleration: Double, duration: Double) {
        self.acceleration = acceleration
        self.duration = duration
    }
}
