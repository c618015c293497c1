internal import Units

/// Everything that may turn a heading, each as one standard deviation in degrees, independent of the others.
struct HeadingErrors: Sendable {
    /// What the calibration left wrong, which is more the farther the board is tilted from where it was made.
    var calibration = 0.0
    /// The samples' noise, as averaged.
    var noise = 0.0
    /// A wrong idea of up, times the tangent of the dip.
    var tilt = 0.0
    /// Another field than the Earth's, of a strength that its visible parts suggest.
    var disturbance = 0.0
    /// One that stayed, and so is taken for the Earth's.
    var stayed = 0.0
    /// The average's being behind a turn.
    var lag = 0.0

    /// All of them together.
    var deviation: Double {
        let own = calibration * calibration + noise * noise + tilt * tilt + lag * lag
        return (own + disturbance * disturbance + stayed * stayed).squareRoot()
    }

    /// The sine of the roll for which a calibration states its error when tilted, 25°.
    private static let statedTilt = 0.4226

    /// What a calibration states, between level and 25° of tilt and on beyond.
    ///
    /// - Parameter lean: From where the calibration was made; degrees.
    static func calibrationError(_ calibration: CompassCalibration, lean: Double, _ up: UpDirection) -> Double {
        let lean = (lean * lean + up.deviation * up.deviation).squareRoot()
        let sine = Trigonometry.sineAndCosine(min(90, lean) / Trigonometry.degreesPerRadian).sine
        let growth = max(0, calibration.tiltedHeadingError - calibration.levelHeadingError) / statedTilt
        return calibration.levelHeadingError + growth * sine
    }
}
