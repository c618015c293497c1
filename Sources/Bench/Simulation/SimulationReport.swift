public import Evaluation
public import JSONText

/// A run's figures, for programs and for people.
public struct SimulationReport: Sendable {
    private let score: RunScore
    private let result: SimulationResult

    public init(_ score: RunScore, of result: SimulationResult) {
        self.score = score
        self.result = result
    }

    /// One JSON object; what is unknown or not finite is null.
    public func write(to text: inout TextBuffer) {
        text.beginObject()
        member("\"hours\":", score.hours, decimals: 4, &text)
        member("\"receiverJoules\":", score.receiverJoules, decimals: 3, &text)
        member("\"receiverMilliwatts\":", score.receiverMilliwatts, decimals: 4, &text)
        member("\"sensorJoules\":", score.sensorJoules, decimals: 3, &text)
        member("\"hostJoules\":", score.hostJoules, decimals: 3, &text)
        member("\"deviceMilliwatts\":", score.deviceMilliwatts, decimals: 4, &text)
        member("\"alwaysOnJoules\":", score.alwaysOnJoules, decimals: 3, &text)
        member("\"oracleJoules\":", score.oracleJoules, decimals: 3, &text)
        text.member("\"fixes\":", score.fixes)
        text.member("\"starts\":", score.starts)
        member("\"timeViolated\":", score.timeViolated, decimals: 6, &text)
        member("\"errorP50\":", score.errorP50, decimals: 2, &text)
        member("\"errorP95\":", score.errorP95, decimals: 2, &text)
        text.member("\"longestViolation\":", score.longestViolation)
        member("\"coverage68\":", score.coverage68, decimals: 4, &text)
        member("\"drawnJoules\":", result.drawnJoules, decimals: 3, &text)
        text.member("\"hostWakes\":", result.hostWakes)
        text.member("\"spins\":", result.spins)
        text.endObject()
        text.append(0x0A)
    }

    private func member(_ key: StaticString, _ value: Double?, decimals: Int, _ text: inout TextBuffer) {
        text.append(key)
        if value.map({ text.append($0, decimals: decimals) }) != true { text.append("null" as StaticString) }
        text.append(0x2C)
    }

    /// The run in few words, for the head of a picture.
    public var headline: String {
        "\(decimal(score.receiverMilliwatts, 2)) mW, too far off for \(decimal(score.timeViolated * 100, 1)) % of the time"
    }

    /// The lines that people are shown.
    public var lines: [String] {
        var lines = [
            row("time that counts", "\(decimal(score.hours, 2)) h, from the first location on"),
            row("receiver", "\(decimal(score.receiverJoules, 1)) J, \(decimal(score.receiverMilliwatts, 3)) mW"),
            row("by its own account", "\(decimal(result.drawnJoules, 1)) J"),
            row("always on", "\(decimal(score.alwaysOnJoules, 1)) J\(times(score.alwaysOnJoules))"),
        ]
        if let oracle = score.oracleJoules {
            lines.append(row("oracle", "\(decimal(oracle, 1)) J\(times(oracle))"))
        }
        if score.sensorJoules > 0 { lines.append(row("motion sensor", "\(decimal(score.sensorJoules, 2)) J")) }
        lines.append(row("host", "\(decimal(score.hostJoules, 1)) J, woken \(result.hostWakes) times"))
        if result.spins > 0 {
            lines.append(row("", "asked \(result.spins) times to be woken at an instant that was over: a fault"))
        }
        lines.append(row("whole device", "\(decimal(score.deviceMilliwatts, 1)) mW"))
        lines.append(row("locations", "\(score.fixes), of \(score.starts) searches"))
        lines.append(
            row(
                "too far off",
                "\(decimal(score.timeViolated * 100, 2)) % of the time, \(score.longestViolation) s at a stretch"))
        lines.append(row("error", "\(decimal(score.errorP50, 1)) m median, \(decimal(score.errorP95, 1)) m at 95 %"))
        if let coverage = score.coverage68 {
            lines.append(row("stated radius", "holds \(decimal(coverage * 100, 1)) %, where 68 % is honest"))
        }
        return lines
    }

    private func row(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(20 - name.count, 1)) + text
    }

    /// What the receiver drew as a multiple of a reference.
    private func times(_ joules: Double) -> String {
        joules > 0 ? " (the receiver draws \(decimal(score.receiverJoules / joules, 3)) times that)" : ""
    }

    private func decimal(_ value: Double, _ decimals: Int) -> String {
        var text = TextBuffer(capacity: 32)
        guard text.append(value, decimals: decimals) else { return "no end of" }
        return text.withBytes { bytes in String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self) }
    }
}
