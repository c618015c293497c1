/// Whether a calibration is good enough, in a word.
public enum CalibrationVerdict: String, Sendable, Hashable {
    /// The calibration holds in every attitude, with heading errors of at most 2°.
    case good
    /// The calibration holds in every attitude, with heading errors of more than 2°.
    case fair
    /// The calibration holds only near the attitude in which the board was turned.
    case planar

    /// Advice on what to do with the calibration.
    public var mend: String {
        switch self {
        case .good: "it works in every attitude"
        case .fair: "it works, but is not exact; record longer, in a figure-eight about every axis, away from iron"
        case .planar:
            "it works only while the board is as level as when it was turned; for every attitude turn it about "
                + "every axis in a figure-eight"
        }
    }
}

extension CalibrationFit {
    /// The largest root mean square heading error of a calibration whose verdict is `good`; degrees.
    private static let goodError = 2.0

    public var verdict: CalibrationVerdict {
        guard calibration.reach == .spatial else { return .planar }
        let error = max(calibration.levelHeadingError, calibration.tiltedHeadingError)
        return error <= CalibrationFit.goodError ? .good : .fair
    }
}
