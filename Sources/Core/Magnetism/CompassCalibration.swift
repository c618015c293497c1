/// The correction from a magnetometer's raw field to the Earth's: the hard iron's offset and the soft iron's matrix.
///
/// Both are in the chip's frame, so they stay right when the board is mounted another way.
public struct CompassCalibration: Sendable, Equatable {
    /// The attitudes in which a calibration holds.
    public enum Reach: UInt8, Sendable, Hashable {
        /// The calibration holds in every attitude of the board.
        case spatial = 0
        /// The calibration holds within some degrees of the attitude in which the board was turned, as in a vehicle.
        case planar = 1
    }

    public var reach: Reach
    /// The offset that the hard iron adds to the raw field.
    ///
    /// Unit: microtesla.
    public var offset: SIMD3<Double>
    /// The matrix that removes the soft iron: calibrated = matrix × (raw − offset).
    public var matrix: Matrix3
    /// The norm that the calibration gives to the Earth's field.
    ///
    /// Unit: microtesla.
    public var norm: Double
    /// The root mean square difference of the calibrated samples' norms from `norm`.
    ///
    /// Unit: microtesla.
    public var residual: Double
    /// The root mean square heading error that this calibration leaves on a level board or, if it is planar, with
    /// `axis` vertical.
    ///
    /// Unit: degrees.
    public var levelHeadingError: Double
    /// The root mean square heading error at 25° of roll from level or, for a planar calibration, from `axis` vertical.
    ///
    /// Unit: degrees.
    public var tiltedHeadingError: Double
    /// The axis, of length 1 and pointing up, about which the board was turned for a planar calibration.
    ///
    /// For a spatial calibration it is nil; for a planar one, nil stands for the device's own upward axis.
    public var axis: SIMD3<Double>?

    public init(
        reach: Reach, offset: SIMD3<Double>, matrix: Matrix3, norm: Double, residual: Double,
        levelHeadingError: Double, tiltedHeadingError: Double, axis: SIMD3<Double>? = nil
    ) {
        self.reach = reach
        self.offset = offset
        self.matrix = matrix
        self.norm = norm
        self.residual = residual
        self.levelHeadingError = levelHeadingError
        self.tiltedHeadingError = tiltedHeadingError
        self.axis = axis
    }

    /// The Earth's field in the chip's frame, computed from a raw field.
    ///
    /// Unit: microtesla.
    public func apply(to raw: SIMD3<Double>) -> SIMD3<Double> { matrix * (raw - offset) }
}
