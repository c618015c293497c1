public import Hardware

/// One magnetometer: straight-line code over a bus, typed from its data sheet.
///
/// Between two measurements the chip sleeps: each is started for itself. The frame of `read` is the right-handed one of
/// the package's drawing; where that is left-handed the driver negates Z and says so: X and Y, which a mounting names,
/// stay as they are drawn.
public protocol MagnetometerDriver: Sendable {
    var model: MagnetometerModel { get }
    var address: I2CAddress { get }
    /// Brings the chip from any state (powered up, reset, in mid-conversion) to sleep, with its configuration set.
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement; what it returns is how long it takes at the longest. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started; the chip sleeps when this returns.
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading
    /// Tells the driver that no sample was taken for longer than 10 s.
    ///
    /// A value that drifts with temperature, and is measured only now and then, is measured anew with the next sample.
    mutating func paused()
}

extension MagnetometerDriver {
    /// Does nothing: most chips have no value that drifts so.
    public mutating func paused() {}
}

/// What a magnetometer measured.
public struct MagnetometerReading: Sendable, Equatable {
    /// Unit: microtesla, in the chip's right-handed frame.
    public var field: SIMD3<Double>
    /// Whether the chip says that an axis was beyond its range.
    public var isSaturated: Bool

    public init(field: SIMD3<Double>, isSaturated: Bool) {
        self.field = field
        self.isSaturated = isSaturated
    }
}
