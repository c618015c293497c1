internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// The state of the compass as readable lines.
enum CompassLines {
    static func text(of compass: DaemonLine) -> [String] {
        var lines = ["compass: \(chips(compass))\(state(compass))"]
        lines.append("  \(calibration(compass))")
        if let problem = compass.text(.calibrationProblem) { lines.append("  \(problem)") }
        if let detail = compass.text(.detail) { lines.append("  \(detail)") }
        return lines
    }

    /// A text that says why the compass gives no headings yet; nil if the compass is ready.
    static func trouble(_ compass: DaemonLine) -> String? {
        compass.word(.state) == CompassStatus.State.ready
            ? nil : compass.text(.detail) ?? "the compass: \(state(compass))"
    }

    private static func chips(_ compass: DaemonLine) -> String {
        guard let magnetometer = compass.text(.magnetometer) else { return "" }
        let place = compass.text(.place).map { " at \($0)" } ?? ""
        let tilt = compass.text(.accelerometer).map { " and \($0)" } ?? ", without an accelerometer"
        return "\(magnetometer)\(place)\(tilt), "
    }

    private static func state(_ compass: DaemonLine) -> String {
        switch compass.word(.state) as CompassStatus.State? {
        case .ready:
            guard let rate = compass.number(.rate) else { return "asleep: no client wants headings" }
            return "read \(Text.fixed(rate, 0)) times a second"
        case .failed: return "fails"
        case .searching: return "being looked for"
        case .absent, nil: return "no chip answers at the place in the board's file"
        }
    }

    private static func calibration(_ compass: DaemonLine) -> String {
        guard let calibration = compass.object(.calibration) else {
            return "not calibrated: headings are invalid until then; see sextant compass calibrate --help"
        }
        let level = "±\(Text.fixed(calibration.number(.levelHeadingError) ?? 0, 1))° level"
        guard calibration.text(.reach) == "spatial" else { return "calibrated for its own attitude, \(level)" }
        let tilted = Text.fixed(calibration.number(.tiltedHeadingError) ?? 0, 1)
        return "calibrated for every attitude, \(level), ±\(tilted)° at 25° of roll"
    }
}
