public import Hardware

/// The driver of one magnetometer, written from its data sheet as straight-line code over a bus.
///
/// The chip sleeps between two measurements, each of which is started by a call. The frame of `read` is right-handed,
/// as in the drawing of the chip's package. If that drawing is left-handed, the driver negates Z and its comment says
/// so; X and Y, to which a mounting refers, stay as drawn.
public protocol MagnetometerDriver: Sendable {
    var model: MagnetometerModel { get }
    var address: I2CAddress { get }
    /// Configures the chip and puts it to sleep, whatever state it was in (powered up, reset, in the middle of a
    /// measurement).
    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError)
    /// Starts one measurement, and returns the longest time that it takes. Unit: microseconds.
    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int
    /// Reads the measurement that was started; the chip sleeps when this returns.
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading
    /// Tells the driver that no sample was taken for longer than 10 s.
    ///
    /// If the driver uses a value that drifts with temperature, such as an offset, it measures that value anew with the
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
    /// Whether the field along an axis was beyond the chip's range.
    public var isSaturated: Bool

    public init(field: SIMD3<Double>, isSaturated: Bool) {
        self.field = field
        self.isSaturated = isSaturated
    }
}
