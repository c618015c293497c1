/// One raw measurement from which, with others, a calibration is computed.
public struct CalibrationSample: Sendable, Equatable {
    /// The raw magnetic flux density in the chip's frame.
    ///
    /// Unit: microtesla.
    public var field: SIMD3<Double>
    /// The specific force, turned into the magnetometer's frame; nil without an accelerometer.
    ///
    /// Unit: m/s².
    public var acceleration: SIMD3<Double>?

    public init(field: SIMD3<Double>, acceleration: SIMD3<Double>? = nil) {
        self.field = field
        self.acceleration = acceleration
    }

    /// The upward direction by the accelerometer; nil if there is no accelerometer, or if its force is not about 1 g.
    ///
    /// At rest an accelerometer measures the force that holds it, which points up. A force that is not about 1 g comes
    /// mostly from movement.
    var up: SIMD3<Double>? {
        guard let acceleration else { return nil }
        let norm = acceleration.norm
        guard Gravity.explains(norm) else { return nil }
        return acceleration / norm
    }
}
