internal import SextantUnits

/// Everything that may turn a heading, each as one standard deviation in degrees, independent of the others.
struct HeadingErrors: Sendable {
    /// The error that the calibration leaves; it grows with the board's tilt away from the attitude of the calibration.
    var calibration = 0.0
    /// The samples' noise, as averaged.
    var noise = 0.0
    /// The error of the upward direction, times the tangent of the dip.
    var tilt = 0.0
    /// The effect of a disturbing field, as strong as its visible components suggest.
    var disturbance = 0.0
    /// The effect of a disturbing field that stayed and is therefore taken for the Earth's.
    var stayed = 0.0
    /// The lag of the average behind a turn.
    var lag = 0.0

    /// All errors combined; one standard deviation in degrees.
    var deviation: Double {
        let own = calibration * calibration + noise * noise + tilt * tilt + lag * lag
        return (own + disturbance * disturbance + stayed * stayed).squareRoot()
    }

    /// The sine of the roll for which a calibration states its error when tilted, 25°.
    private static let statedTilt = 0.4226

    /// The heading error of a calibration at a lean, interpolated or extrapolated from its errors at level and at 25°.
    ///
    /// - Parameter lean: The board's lean from the attitude in which the calibration was made; degrees.
    static func calibrationError(_ calibration: CompassCalibration, lean: Double, _ up: UpDirection) -> Double {
        let lean = (lean * lean + up.deviation * up.deviation).squareRoot()
        let sine = Trigonometry.sineAndCosine(min(90, lean) / Trigonometry.degreesPerRadian).sine
        let growth = max(0, calibration.tiltedHeadingError - calibration.levelHeadingError) / statedTilt
        return calibration.levelHeadingError + growth * sine
    }
}
