public import SextantUnits

/// One measurement by the magnetometer and the accelerometer, each in the frame of its own chip.
///
/// The frames are right-handed, as in the drawings of the chips' packages; `Mounting` tells how a chip is placed on the
/// board.
public struct CompassSample: Sendable, Equatable {
    public var instant: MonotonicInstant
    /// The magnetic flux density as the chip's scale gives it, without any calibration.
    ///
    /// Unit: microtesla.
    public var field: SIMD3<Double>
    /// Whether an axis was beyond the chip's range, so that the field is not valid.
    public var isSaturated: Bool
    /// The specific force: at rest 9.8 along the axis that points up.
    ///
    /// Unit: m/s²; nil without an accelerometer.
    public var acceleration: SIMD3<Double>?

    public init(
        instant: MonotonicInstant, field: SIMD3<Double>, isSaturated: Bool = false, acceleration: SIMD3<Double>? = nil
    ) {
        self.instant = instant
        self.field = field
        self.isSaturated = isSaturated
        self.acceleration = acceleration
    }
}
