internal import HostSleep
public import SextantJSON

/// The results of a simulated run, as JSON for programs and as text for people.
public struct SimulationReport: Sendable {
    private let score: RunScore
    private let result: SimulationResult

    public init(_ score: RunScore, of result: SimulationResult) {
        self.score = score
        self.result = result
    }

    /// Writes the results as one JSON object in which unknown and infinite numbers are null.
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
        write(score.moving, to: &text)
        member("\"coverage68\":", score.coverage68, decimals: 4, &text)
        member("\"drawnJoules\":", result.drawnJoules, decimals: 3, &text)
        text.member("\"hostWakes\":", result.hostWakes)
        if let sleep = result.sleep {
            text.member("\"boots\":", sleep.boots)
            member("\"lifeHours\":", life, decimals: 2, &text)
            member("\"alwaysOnLifeHours\":", alwaysOnLife(sleep), decimals: 2, &text)
        }
        text.member("\"spins\":", result.spins)
        text.endObject()
        text.append(0x0A)
    }

    private func write(_ moving: MovingScore, to text: inout TextBuffer) {
        member("\"movingShare\":", moving.movingShare, decimals: 6, &text)
        text.member("\"bouts\":", moving.bouts)
        member("\"violatedMoving\":", moving.violatedMoving, decimals: 6, &text)
        member("\"violatedRest\":", moving.violatedRest, decimals: 6, &text)
        member("\"boutP50\":", moving.boutP50, decimals: 6, &text)
        member("\"boutP90\":", moving.boutP90, decimals: 6, &text)
        member("\"rightAgainP90\":", moving.rightAgainP90, decimals: 2, &text)
        text.member("\"longestMoving\":", moving.longestMoving)
        member("\"errorMovingP50\":", moving.errorMovingP50, decimals: 2, &text)
        member("\"errorMovingP95\":", moving.errorMovingP95, decimals: 2, &text)
    }

    private func member(_ key: StaticString, _ value: Double?, decimals: Int, _ text: inout TextBuffer) {
        text.append(key)
        if value.map({ text.append($0, decimals: decimals) }) != true { text.append("null" as StaticString) }
        text.append(0x2C)
    }

    /// The run's summary for the title of a picture.
    public var headline: String {
        let power = "\(decimal(score.receiverMilliwatts, 2)) mW"
        guard let violated = score.moving.violatedMoving else { return "\(power), the board does not move" }
        return "\(power), too far off for \(percent(violated)) of the moving time"
    }

    /// The results of the run as lines of text for people.
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
        if let sleep = result.sleep {
            lines.append(row("host sleep", "\(sleep.boots) boots"))
            for state in SimulationResult.Spell.State.allCases {
                let spells = sleep.spells.filter { $0.state == state }
                let minutes = spells.reduce(0) { $0 + $1.until - $1.from } / 60
                let joules = spells.reduce(0) { $0 + $1.joules }
                lines.append(row("  \(state.rawValue)", "\(decimal(joules, 0)) J in \(decimal(minutes, 1)) min"))
            }
            lines.append(
                row("10 Wh last", "\(decimal(life, 0)) h, and \(decimal(alwaysOnLife(sleep), 0)) h with all always on"))
        }
        lines.append(row("locations", "\(score.fixes), of \(score.starts) searches"))
        lines += movingLines(score.moving)
        if let coverage = score.coverage68 {
            lines.append(row("stated radius", "holds \(decimal(coverage * 100, 1)) %, where 68 % is honest"))
        }
        return lines
    }

    private func movingLines(_ moving: MovingScore) -> [String] {
        var lines: [String] = []
        if let violated = moving.violatedMoving, let median = moving.boutP50, let most = moving.boutP90,
            let again = moving.rightAgainP90, let error = moving.errorMovingP50, let large = moving.errorMovingP95
        {
            let bouts = moving.bouts == 1 ? "1 bout" : "\(moving.bouts) bouts"
            lines = [
                row("moving time", "\(percent(moving.movingShare)) of the truth, \(bouts)"),
                row(
                    "too far off", "\(percent(violated)) of the moving time, \(moving.longestMoving) s at the longest"),
                row("", "\(percent(median)) of a bout at the median, \(percent(most)) at 90 % of the bouts"),
                row("right again", "after \(decimal(again, 0)) s at 90 % of the bouts"),
                row(
                    "error, moving",
                    error.isFinite && large.isFinite
                        ? "\(decimal(error, 1)) m median, \(decimal(large, 1)) m at 95 %"
                        : "unknown: no location was delivered"),
            ]
        } else {
            lines = [row("moving time", "none: no movement lasts two minutes and goes 50 m in each")]
        }
        if let rest = moving.violatedRest {
            lines.append(row("slow or at rest", "too far off for \(percent(rest)) of the time"))
        }
        return lines
    }

    /// The hours for which a battery of 10 Wh supplies the whole device, through a converter of
    /// `HostCosts.converterEfficiency`.
    private var life: Double { SimulationReport.hours(score.deviceMilliwatts) }

    /// The hours for which a battery of 10 Wh supplies a host and a receiver that are always on, as with gpsd.
    private func alwaysOnLife(_ sleep: SimulationResult.HostSleep) -> Double {
        SimulationReport.hours(sleep.idleMilliwatts + score.alwaysOnJoules / (score.hours * 3600) * 1000)
    }

    private static func hours(_ milliwatts: Double) -> Double { 10_000 * HostCosts.converterEfficiency / milliwatts }

    private func percent(_ share: Double) -> String { "\(decimal(share * 100, 1)) %" }

    private func row(_ name: String, _ text: String) -> String {
        name + String(repeating: " ", count: max(20 - name.count, 1)) + text
    }

    /// The receiver's energy as a multiple of `joules`, as text; empty if `joules` is 0.
    private func times(_ joules: Double) -> String {
        joules > 0 ? " (the receiver draws \(decimal(score.receiverJoules / joules, 3)) times that)" : ""
    }

    private func decimal(_ value: Double, _ decimals: Int) -> String {
        var text = TextBuffer(capacity: 32)
        guard text.append(value, decimals: decimals) else { return "unknown" }
        return text.string
    }
}
