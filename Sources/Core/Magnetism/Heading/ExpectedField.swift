internal import SextantUnits

/// The field expected if it is the Earth's alone, by calibration and world model, or by memory.
struct ExpectedField: Sendable {
    /// The least and the greatest norm that are right; µT.
    var norms: ClosedRange<Double>
    /// One standard deviation of a sample's norm about them; µT.
    var normDeviation: Double
    /// The expected dip in degrees below the horizontal; nil where it is not known.
    var inclination: Double?
    /// One standard deviation of a measured dip about the expected one; degrees.
    var inclinationDeviation: Double

    /// The part of the norm by which chips' scales drift with temperature, and the field from place to place.
    private static let normDrift = 0.02
    /// The ratio of the field's vertical to its horizontal part in middle latitudes.
    private static let verticalShare = 2.0
    /// The ratio of the calibration's norm to the model's from which on only the calibration's norm counts as right.
    private static let greatestScale = 1.15
    /// Degrees by which buildings and ground turn the field; the model's own 0.2 are nothing beside it.
    private static let inclinationDrift = 1.0

    /// - Parameters:
    ///   - memory: The recent dip in degrees, used where no model gives it.
    ///   - lean: The board's lean from the attitude in which the calibration was made; degrees.
    init(
        _ calibration: CompassCalibration, _ model: GeomagneticField?, lean: Double, up: UpDirection, memory: Double?
    ) {
        let known = model.flatMap { $0.validity == .valid ? $0 : nil }
        norms = ExpectedField.norms(calibration, known)
        // A leaning board lets part of the vertical field into a planar calibration's norm.
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

    /// The norms that count as right: all from the calibration's to the model's.
    ///
    /// A calibration made at another place has another norm, and a chip's scale is not exact.
    private static func norms(_ calibration: CompassCalibration, _ model: GeomagneticField?) -> ClosedRange<Double> {
        let norm = calibration.norm
        guard calibration.reach == .spatial, let total = model.map({ $0.total / 1000 }),
            max(norm / total, total / norm) < greatestScale
        else { return norm...norm }
        return min(norm, total)...max(norm, total)
    }

    /// How far a norm lies outside the right norms; µT, negative below them.
    func excess(of norm: Double) -> Double {
        norm < norms.lowerBound ? norm - norms.lowerBound : max(0, norm - norms.upperBound)
    }
}
