/// One raw measurement that a calibration is worked out from.
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

    /// The direction that is up, if the accelerometer can tell: at rest it measures the force that holds it.
    ///
    /// A force that is not about 1 g is mostly of a movement.
    var up: SIMD3<Double>? {
        guard let acceleration else { return nil }
        let norm = acceleration.norm
        guard abs(norm - CalibrationSample.gravity) < 0.15 * CalibrationSample.gravity else { return nil }
        return acceleration / norm
    }

    /// Unit: m/s²; standard gravity, by the third CGPM of 1901.
    private static let gravity = 9.80665
}

/// What the field is known to be where the board is, from the world model.
public struct EarthField: Sendable, Equatable {
    /// Unit: microtesla.
    public var norm: Double
    /// The dip: how far the field points below the horizontal.
    ///
    /// Unit: degrees, -90 to 90, positive in the north.
    public var inclination: Double
    /// The deviation of what is there from what the model says: the model's own 0.2° and what buildings and ground add.
    ///
    /// Unit: degrees.
    public var inclinationDeviation: Double

    public init(norm: Double, inclination: Double, inclinationDeviation: Double = 1) {
        self.norm = norm
        self.inclination = inclination
        self.inclinationDeviation = inclinationDeviation
    }

    /// The world model's, while it is valid.
    public init?(_ field: GeomagneticField) {
        guard field.validity == .valid else { return nil }
        // The model has nanotesla.
        self.init(norm: field.total / 1000, inclination: field.inclination)
    }
}
