internal import SextantUnits

/// The independent errors that add up to a heading's error, each as a standard deviation in degrees.
struct HeadingErrors: Sendable {
    /// The heading error that the calibration leaves; it grows with the board's tilt away from the attitude of the
    /// calibration.
    var calibration = 0.0
    /// The heading error due to the samples' noise, after averaging.
    var noise = 0.0
    /// The heading error due to an error of the upward direction: that error times the tangent of the dip.
    var tilt = 0.0
    /// The heading error due to a disturbing field too weak to be detected, estimated from the field's visible
    /// components.
    var disturbance = 0.0
    /// The heading error due to a disturbing field that stayed and is therefore taken for the Earth's.
    var stayed = 0.0
    /// The heading error due to the lag of the averaged direction of north behind a turn of the board.
    var lag = 0.0

    /// All errors combined; one standard deviation in degrees.
    var deviation: Double {
        let own = calibration * calibration + noise * noise + tilt * tilt + lag * lag
        return (own + disturbance * disturbance + stayed * stayed).squareRoot()
    }

    /// The sine of 25°, the roll for which a calibration states its `tiltedHeadingError`.
    private static let statedTilt = 0.4226

    /// The heading error of a calibration on a leaning board, in degrees: interpolated or extrapolated from its errors
    /// when level and at 25°.
    ///
    /// - Parameter lean: The board's lean from the attitude in which the calibration was made; degrees.
    static func calibrationError(_ calibration: CompassCalibration, lean: Double, _ up: UpDirection) -> Double {
        let lean = (lean * lean + up.deviation * up.deviation).squareRoot()
        let sine = Trigonometry.sineAndCosine(min(90, lean) / Trigonometry.degreesPerRadian).sine
        let growth = max(0, calibration.tiltedHeadingError - calibration.levelHeadingError) / statedTilt
        return calibration.levelHeadingError + growth * sine
    }
}
