internal import ClientProtocol
internal import ClientVocabulary
internal import DaemonClient

/// The state of the receiver's power as lines of text for the user.
enum PowerLines {
    static func text(of power: DaemonLine) -> [String] {
        var lines = ["power: \(state(power))\(power.text(.receiver).map { ", \($0)" } ?? "")"]
        lines.append("  \(need(power)), \(Text.plural(power.number(.hostWakes), "host wake-up"))")
        if let outage = power.object(.outage) { lines.append("  \(text(ofOutage: outage))") }
        if let backup = power.text(.backup), backup != "good" { lines.append("  backup supply: \(backup)") }
        if let problem = power.text(.linesProblem) { lines.append("  \(problem)") }
        for trouble in power.objects(.troubles) { lines.append("  \(text(ofTrouble: trouble))") }
        return lines
    }

    private static func state(_ power: DaemonLine) -> String {
        let words =
            switch power.word(.state) as PowerStatus.State? {
            case .hardwareSleep: "off, with its backup supply on"
            case .softwareSleep: "in software sleep"
            case .cyclicTracking: "tracking cyclically"
            case .savingOrbits: "saving its orbits"
            case .fallingAsleep: "falling asleep"
            case .starting, .detecting, .configuring, .searching, .tracking, .unresponsive, .off, nil:
                power.text(.state) ?? "unknown"
            }
        guard let next = power.number(.nextStart) else { return words }
        let why = power.flag(.backingOff) == true ? " because the last search found nothing" : ""
        return "\(words), next search in \(Text.fixed(max(0, next), 0)) s\(why)"
    }

    /// A planned rest of the receiver in words: how long it lasts, until when, and why.
    static func text(ofPlan plan: DaemonLine) -> String {
        let seconds = plan.number(.seconds).map { "for \(Text.fixed($0, 0)) s" }
        let until = plan.text(.restingUntil).map { " until \($0)" } ?? ""
        return "asleep by plan \(seconds ?? "until somebody asks")\(until): \(PositionStatus.why(plan))"
    }

    private static func need(_ power: DaemonLine) -> String {
        let uncertainty = power.number(.uncertainty).map { ", known to ±\(Text.fixed($0, 0)) m now" } ?? ""
        guard let accuracy = power.number(.accuracy) else { return "no client needs a position\(uncertainty)" }
        let need = accuracy == 0 ? "the best accuracy" : "an accuracy of \(Int(accuracy)) m"
        return "\(need) is needed\(uncertainty)"
    }

    private static func text(ofOutage outage: DaemonLine) -> String {
        let began = outage.number(.beganSecondsAgo) ?? 0
        let message = outage.text(.message) ?? ""
        guard let ended = outage.number(.endedSecondsAgo) else {
            return "the accuracy is not held for \(Text.fixed(began, 0)) s: \(message)"
        }
        return "the accuracy was not held for \(Text.fixed(began - ended, 0)) s: \(message) "
            + "(ended \(Text.fixed(ended, 0)) s ago)"
    }

    private static func text(ofTrouble trouble: DaemonLine) -> String {
        let count = Int(trouble.number(.count) ?? 1)
        let times = count == 1 ? "once" : "\(count) times"
        let ago = Text.fixed(trouble.number(.secondsAgo) ?? 0, 0)
        let over = trouble.flag(.over) == true ? ", over since" : ""
        return "\(trouble.text(.message) ?? "") (\(times), last \(ago) s ago\(over))"
    }
}
