internal import SextantUnits

/// The norm and the dip of the field if only the Earth's field is present.
///
/// They come from the calibration and from the world model or, without a model, from the recent dip.
struct ExpectedField: Sendable {
    /// The range in which a measured norm is as expected; µT.
    var norms: ClosedRange<Double>
    /// The standard deviation of a sample's distance outside the range of acceptable norms; µT.
    var normDeviation: Double
    /// The expected dip in degrees below the horizontal; nil where it is not known.
    var inclination: Double?
    /// The standard deviation of a measured dip about the expected dip; degrees.
    var inclinationDeviation: Double

    /// The standard deviation of the norm as a share of it: the drift of a chip's scale with temperature, and the
    /// field's difference between places.
    private static let normDrift = 0.02
    /// The ratio of the field's vertical to its horizontal part in middle latitudes.
    private static let verticalShare = 2.0
    /// If the larger of the calibration's and the model's norm is at least this many times the smaller, only the
    /// calibration's norm is acceptable.
    private static let greatestScale = 1.15
    /// The standard deviation of the dip in degrees that buildings and ground cause; the world model's own 0.2° is
    /// negligible beside it.
    private static let inclinationDrift = 1.0

    /// - Parameters:
    ///   - lean: The board's lean from the attitude in which the calibration was made; degrees.
    ///   - memory: The recent average dip, used where no model gives the dip; degrees.
    init(
        _ calibration: CompassCalibration, _ model: GeomagneticField?, lean: Double, up: UpDirection, memory: Double?
    ) {
        let known = model.flatMap { $0.validity == .valid ? $0 : nil }
        norms = ExpectedField.norms(calibration, known)
        // Under a planar calibration, the norm on a leaning board contains a part of the vertical field.
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

    /// The acceptable norms: the range between the calibration's norm and the model's.
    ///
    /// The two norms can differ, because the calibration can come from another place and a chip's scale is not exact.
    private static func norms(_ calibration: CompassCalibration, _ model: GeomagneticField?) -> ClosedRange<Double> {
        let norm = calibration.norm
        guard calibration.reach == .spatial, let total = model.map({ $0.total / 1000 }),
            max(norm / total, total / norm) < greatestScale
        else { return norm...norm }
        return min(norm, total)...max(norm, total)
    }

    /// How far a norm is outside the range of acceptable norms; µT, negative below the range, 0 inside, positive above.
    func excess(of norm: Double) -> Double {
        norm < norms.lowerBound ? norm - norms.lowerBound : max(0, norm - norms.upperBound)
    }
}
