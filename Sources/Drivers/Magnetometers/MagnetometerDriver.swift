public import Hardware

/// The driver of one magnetometer, written from its data sheet as straight-line code over a bus.
///
/// Between two measurements the chip sleeps, and each is started separately. The frame of `read` is the right-handed
/// one of the package's drawing. Where that drawing is left-handed, the driver negates Z and its comment says so; X and
/// Y, to which a mounting refers, stay as drawn.
public protocol MagnetometerDriver: Sendable {
    var model: MagnetometerModel { get }
    var address: I2CAddress { get }
    /// Puts the chip to sleep from any state (powered up, reset, in mid-conversion), with its configuration set.
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement, and returns the longest time that it takes. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started; the chip sleeps when this returns.
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading
    /// Tells the driver that no sample was taken for longer than 10 s.
    ///
    /// A value that drifts with temperature, and is not measured with every sample, is then measured again with the
    /// next sample.
    mutating func paused()
}

extension MagnetometerDriver {
    /// Does nothing, since most chips have no value that drifts with temperature.
    public mutating func paused() {}
}

/// One measurement of a magnetometer.
public struct MagnetometerReading: Sendable, Equatable {
    /// The field in microtesla, in the chip's right-handed frame.
    public var field: SIMD3<Double>
    /// Whether an axis was beyond its range.
    public var isSaturated: Bool

    public init(field: SIMD3<Double>, isSaturated: Bool) {
        self.field = field
        self.isSaturated = isSaturated
    }
}
