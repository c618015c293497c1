/// What the field would be like if it were the Earth's alone, by calibration and world model.
struct ExpectedField: Sendable {
    /// The least and the greatest norm that are right; µT.
    var norms: ClosedRange<Double>
    /// One standard deviation of a sample's norm about them; µT.
    var normDeviation: Double
    /// Degrees below the horizontal; nil where no world model tells.
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
    /// Degrees by which buildings and ground turn the field.
    private static let inclinationDrift = 1.0

    init(_ calibration: CompassCalibration, _ model: GeomagneticField?, up: UpDirection) {
        let norm = calibration.norm
        norms = norm...norm
        inclinationDeviation = 0
        // What is vertical comes into a planar calibration's norm as far as the board leans.
        let lean = calibration.reach == .planar ? up.lean + up.deviation : 0
        let drift = norm * (ExpectedField.normDrift + ExpectedField.verticalShare * lean / Angle.degreesPerRadian)
        normDeviation = (calibration.residual * calibration.residual + drift * drift).squareRoot()
        guard calibration.reach == .spatial, let model, let uncertainty = model.uncertainty else { return }
        let total = model.total / 1000
        // A calibration made at another place has another norm, and a chip's scale is not exact: both are right.
        if max(norm / total, total / norm) < ExpectedField.greatestScale {
            norms = min(norm, total)...max(norm, total)
        }
        inclination = model.inclination
        let byResidual = calibration.residual / norm * Angle.degreesPerRadian
        let byCalibration = calibration.levelHeadingError * model.horizontal / model.total
        let squares =
            uncertainty.inclination * uncertainty.inclination + byResidual * byResidual
            + byCalibration * byCalibration + up.deviation * up.deviation
            + ExpectedField.inclinationDrift * ExpectedField.inclinationDrift
        inclinationDeviation = squares.squareRoot()
    }

    /// How far a norm is from what is right; µT.
    func excess(of norm: Double) -> Double {
        norm < norms.lowerBound ? norm - norms.lowerBound : max(0, norm - norms.upperBound)
    }
}
