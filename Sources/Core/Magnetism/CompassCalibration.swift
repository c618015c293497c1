/// What turns a magnetometer's raw field into the Earth's: the hard iron's offset and the soft iron's matrix.
///
/// Both are of the chip's frame, so they stay right when the board is mounted another way.
public struct CompassCalibration: Sendable, Equatable {
    /// For what attitudes the calibration holds.
    public enum Reach: UInt8, Sendable, Hashable {
        /// For every attitude.
        case spatial = 0
        /// For the attitude in which the board was turned, within some degrees: what a vehicle's turns can tell.
        case planar = 1
    }

    public var reach: Reach
    /// The hard iron.
    ///
    /// Unit: microtesla.
    public var offset: SIMD3<Double>
    /// The soft iron, taken back: calibrated = matrix × (raw − offset).
    public var matrix: Matrix3
    /// The norm of the calibrated samples.
    ///
    /// Unit: microtesla.
    public var norm: Double
    /// The root mean square by which the samples' norm missed it.
    ///
    /// Unit: microtesla.
    public var residual: Double
    /// The root mean square of the heading's error that this calibration leaves, level, or with `axis` upright.
    ///
    /// Unit: degrees.
    public var levelHeadingError: Double
    /// The same at 25° of roll from there.
    ///
    /// Unit: degrees.
    public var tiltedHeadingError: Double
    /// About what the board turned, of length 1 and pointing up: where a planar calibration holds; nil where that was the
    /// device's own up, and for a spatial one.
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

    /// The Earth's field in the chip's frame.
    ///
    /// Unit: microtesla.
    public func apply(to raw: SIMD3<Double>) -> SIMD3<Double> { matrix * (raw - offset) }
}
