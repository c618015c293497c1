internal import Magnetism
internal import SextantJSON

/// A compass calibration as lines of text for the user, and as a JSON object.
struct CalibrationLines {
    private let fit: CalibrationFit
    private let hasAcceleration: Bool
    private let magnetometer: String?

    /// - Parameter magnetometer: The magnetometer's model; nil if neither a board file nor the command line names it.
    init(_ fit: CalibrationFit, hasAcceleration: Bool, magnetometer: String?) {
        self.fit = fit
        self.hasAcceleration = hasAcceleration
        self.magnetometer = magnetometer
    }

    var text: [String] {
        let calibration = fit.calibration
        let (first, second, third) = calibration.matrix.columns
        let rows = (0..<3).map { row in
            [first, second, third].map { column in padded(column[row], 4, 9) }.joined(separator: " ")
        }
        let share = Text.fixed(100 * fit.coverage.filledShare, 0)
        var lines = [
            "offset        \((0..<3).map { padded(calibration.offset[$0], 2, 9) }.joined(separator: " ")) µT",
            "matrix        \(rows[0])", "              \(rows[1])", "              \(rows[2])",
            "norm          \(Text.fixed(calibration.norm, 2)) µT",
            "residual      \(Text.fixed(calibration.residual, 2)) µT, \(fit.outlierCount) of \(fit.residuals.count) "
                + "samples rejected as outliers",
            "coverage      \(fit.coverage.filledCount) of \(SphereCoverage.sectionCount) sections (\(share) %)",
            "heading error \(Text.fixed(calibration.levelHeadingError, 2))° level, "
                + "\(Text.fixed(calibration.tiltedHeadingError, 2))° at 25° of roll (expected, root mean square)",
        ]
        if let gravity { lines.append("gravity       \(gravity)") }
        return lines + ["verdict       \(fit.verdict.rawValue): \(fit.verdict.mend)"]
    }

    /// A text that says how the accelerometer helped the calibration; nil if the samples have no acceleration.
    private var gravity: String? {
        guard hasAcceleration else { return nil }
        guard fit.usesGravity, let inclination = fit.inclination else {
            return fit.calibration.reach == .planar
                ? "not needed for a planar calibration"
                : "not used: the field's dip differs from sample to sample; turn the board slowly, and check that both "
                    + "chips' axes are the same"
        }
        let turn = fit.turn > 0 ? ", its axes turned by \(Text.fixed(fit.turn, 1))° against the magnetometer's" : ""
        return "used: the field dips by \(Text.fixed(inclination, 1))°\(turn)"
    }

    private func padded(_ value: Double, _ decimals: Int, _ width: Int) -> String {
        let text = Text.fixed(value, decimals)
        return String(repeating: " ", count: max(0, width - text.count)) + text
    }

    func append(to text: inout TextBuffer) {
        let calibration = fit.calibration
        let (first, second, third) = calibration.matrix.columns
        text.beginObject()
        text.member("\"verdict\":", fit.verdict.rawValue)
        text.member("\"magnetometer\":", magnetometer)
        text.member("\"reach\":", literal: calibration.reach == .spatial ? "spatial" : "planar")
        text.beginArray("\"offset\":")
        numbers((0..<3).map { calibration.offset[$0] }, decimals: 3, to: &text)
        text.endArray()
        text.beginArray("\"matrix\":")
        for row in 0..<3 {
            text.append(0x5B)
            numbers([first[row], second[row], third[row]], decimals: 6, to: &text)
            text.endArray()
        }
        text.endArray()
        if let axis = calibration.axis {
            text.beginArray("\"axis\":")
            numbers((0..<3).map { axis[$0] }, decimals: 4, to: &text)
            text.endArray()
        }
        text.member("\"norm\":", calibration.norm, decimals: 3)
        text.member("\"residual\":", calibration.residual, decimals: 3)
        text.member("\"samples\":", fit.residuals.count)
        text.member("\"outliers\":", fit.outlierCount)
        text.member("\"sections\":", SphereCoverage.sectionCount)
        text.member("\"sectionsFilled\":", fit.coverage.filledCount)
        text.member("\"leastSpread\":", fit.minimumSpread, decimals: 3)
        text.member("\"levelHeadingError\":", calibration.levelHeadingError, decimals: 3)
        text.member("\"tiltedHeadingError\":", calibration.tiltedHeadingError, decimals: 3)
        text.member("\"usesGravity\":", fit.usesGravity)
        text.member("\"inclination\":", fit.inclination, decimals: 2)
        text.member("\"accelerometerTurn\":", fit.usesGravity ? fit.turn : nil, decimals: 2)
        text.member("\"advice\":", fit.verdict.mend)
        text.endObject()
        text.append(0x0A)
    }

    private func numbers(_ values: [Double], decimals: Int, to text: inout TextBuffer) {
        for value in values {
            text.append(value, decimals: decimals)
            text.append(0x2C)
        }
    }
}
