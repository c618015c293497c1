internal import Units

/// What the field would be like if it were the Earth's alone, by calibration and world model, or memory.
struct ExpectedField: Sendable {
    /// The least and the greatest norm that are right; µT.
    var norms: ClosedRange<Double>
    /// One standard deviation of a sample's norm about them; µT.
    var normDeviation: Double
    /// Degrees below the horizontal; nil where nothing tells.
    var inclination: Double?
    /// One standard deviation of what is measured about it; degrees.
    var inclinationDeviation: Double

    /// The part of the norm by which chips' scales drift with temperature, and the field from place to place.
    private static let normDrift = 0.02
    /// How many times the horizontal part the vertical one is; in the middle latitudes.
    private static let verticalShare = 2.0
    /// The scales of chips differ by so much of the model's norm at most: the calibration's then tells nothing of where
    /// it was made.
    private static let greatestScale = 1.15
    /// Degrees by which buildings and ground turn the field; the model's own 0.2 are nothing beside it.
    private static let inclinationDrift = 1.0

    /// - Parameters:
    ///   - memory: What the dip has been lately, in degrees, where no model tells it.
    ///   - lean: From where the calibration was made; degrees.
    init(
        _ calibration: CompassCalibration, _ model: GeomagneticField?, lean: Double, up: UpDirection, memory: Double?
    ) {
        let known = model.flatMap { $0.validity == .valid ? $0 : nil }
        norms = ExpectedField.norms(calibration, known)
        // What is vertical comes into a planar calibration's norm as far as the board leans.
        let lean = calibration.reach == .planar ? lean + up.deviation : 0
        let share = ExpectedField.normDrift + ExpectedField.verticalShare * lean / Trigonometry.degreesPerRadian
        let drift = calibration.norm * share
        normDeviation = (calibration.residual * calibration.residual + drift * drift).squareRoot()
        inclination = calibration.reach == .planar ? nil : known?.inclination ?? memory
        let cosine = Trigonometry.sineAndCosine((inclination ?? 0) / Trigonometry.degreesPerRadian).cosine
        let (noise, left) = (calibration.residual / calibration.norm, calibration.levelHeadingError * cosine)
        let squares =
            noise * noise * Trigonometry.degreesPerRadian * Trigonometry.degreesPerRadian + left * left
            + up.deviation * up.deviation + ExpectedField.inclinationDrift * ExpectedField.inclinationDrift
        inclinationDeviation = squares.squareRoot()
    }

    /// A calibration made at another place has another norm, and a chip's scale is not exact: both are right.
    private static func norms(_ calibration: CompassCalibration, _ model: GeomagneticField?) -> ClosedRange<Double> {
        let norm = calibration.norm
        guard calibration.reach == .spatial, let total = model.map({ $0.total / 1000 }),
            max(norm / total, total / norm) < greatestScale
        else { return norm...norm }
        return min(norm, total)...max(norm, total)
    }

    /// How far a norm is from what is right; µT.
    func excess(of norm: Double) -> Double {
        norm < norms.lowerBound ? norm - norms.lowerBound : max(0, norm - norms.upperBound)
    }
}
