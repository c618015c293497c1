internal import SextantUnits

/// The norm and the dip that are expected if only the Earth's field is present, from the calibration and the world
/// model or the recent dip.
struct ExpectedField: Sendable {
    /// The range of acceptable norms; µT.
    var norms: ClosedRange<Double>
    /// One standard deviation of a sample's norm from that range; µT.
    var normDeviation: Double
    /// The expected dip in degrees below the horizontal; nil where it is not known.
    var inclination: Double?
    /// One standard deviation of a measured dip about the expected one; degrees.
    var inclinationDeviation: Double

    /// The fraction of the norm by which chip scales drift with temperature, and by which the field differs between
    /// places.
    private static let normDrift = 0.02
    /// The ratio of the field's vertical to its horizontal part in middle latitudes.
    private static let verticalShare = 2.0
    /// If the calibration's and the model's norm differ by this ratio or more, only the calibration's norm is
    /// acceptable.
    private static let greatestScale = 1.15
    /// Degrees by which buildings and ground turn the field; the world model's own error of 0.2° is nothing beside it.
    private static let inclinationDrift = 1.0

    /// - Parameters:
    ///   - memory: The recent dip in degrees, used where no model gives it.
    ///   - lean: The board's lean from the attitude in which the calibration was made; degrees.
    init(
        _ calibration: CompassCalibration, _ model: GeomagneticField?, lean: Double, up: UpDirection, memory: Double?
    ) {
        let known = model.flatMap { $0.validity == .valid ? $0 : nil }
        norms = ExpectedField.norms(calibration, known)
        // With a planar calibration, the norm of a leaning board contains a part of the vertical field.
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
    /// The two can differ, because the calibration can come from another place and a chip's scale is not exact.
    private static func norms(_ calibration: CompassCalibration, _ model: GeomagneticField?) -> ClosedRange<Double> {
        let norm = calibration.norm
        guard calibration.reach == .spatial, let total = model.map({ $0.total / 1000 }),
            max(norm / total, total / norm) < greatestScale
        else { return norm...norm }
        return min(norm, total)...max(norm, total)
    }

    /// The difference between a norm and the range of acceptable norms; µT, negative below the range, 0 inside.
    func excess(of norm: Double) -> Double {
        norm < norms.lowerBound ? norm - norms.lowerBound : max(0, norm - norms.upperBound)
    }
}
