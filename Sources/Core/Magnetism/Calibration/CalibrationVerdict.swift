/// Whether a calibration is good enough, in a word.
public enum CalibrationVerdict: String, Sendable, Hashable {
    /// For every attitude, with headings that are right to two degrees.
    case good
    /// For every attitude.
    case fair
    /// For the attitude in which the board was turned.
    case planar

    /// What is to be done.
    public var mend: String {
        switch self {
        case .good: "it serves in every attitude"
        case .fair: "it serves, but is not exact; record longer, in a figure-eight about every axis, away from iron"
        case .planar:
            "it serves only as level as the board was turned; for every attitude turn it about every axis in a "
                + "figure-eight"
        }
    }
}

extension CalibrationFit {
    /// Degrees that a good calibration leaves at most.
    private static let goodError = 2.0

    public var verdict: CalibrationVerdict {
        guard calibration.reach == .spatial else { return .planar }
        let error = max(calibration.levelHeadingError, calibration.tiltedHeadingError)
        return error <= CalibrationFit.goodError ? .good : .fair
    }
}
