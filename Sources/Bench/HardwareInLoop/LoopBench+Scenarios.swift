internal import Pictures
internal import SextantReactor
internal import SextantUnits

extension LoopBench {
    /// Runs a scenario, and writes its timeline picture, its log and its flight recordings.
    public func run(_ scenario: Scenario) throws(LoopFailure) -> ScenarioResult {
        var result = try ScenarioRun(scenario, on: self).carryOut()
        let picture = record.picture.svg(
            title: "\(scenario.name): \(scenario.summary)", until: record.seconds(Clock.now()))
        try Output.write(Array(picture.utf8), to: "\(settings.output)/\(scenario.name).svg")
        let log = record.log.map { "\(LoopReport.seconds(record.seconds($0.instant))) \($0.text)" }
        if !result.hasPassed { result.lastLines = log.suffix(15).map { String($0.prefix(160)) } }
        try Output.write(
            Array((log.joined(separator: "\n") + "\n").utf8), to: "\(settings.output)/\(scenario.name).log")
        return result
    }
}

/// Writes a table with the results of all scenarios.
public enum LoopReport {
    /// Writes the results of all scenarios as `report.md` into a folder.
    public static func write(_ results: [ScenarioResult], to folder: String) throws(LoopFailure) {
        var text = "| scenario | steps | result | seconds | replay |\n|---|---:|---|---:|---|\n"
        for result in results {
            let replays = result.replays.joined(separator: "; ")
            text += "| \(result.name) | \(result.lines.count) | \(result.word) |"
            text += " \(seconds(result.seconds)) | \(replays) |\n"
        }
        for result in results {
            text += "\n## \(result.name)\n\n![\(result.name)](\(result.name).svg)\n\n"
            if !result.undriven.isEmpty {
                text += "Nobody drove powerEnable: \(result.undriven.joined(separator: "; ")) by its resistor.\n\n"
            }
            text += "| at, s | step | took, s | result |\n|---:|---|---:|---|\n"
            for line in result.lines {
                text += "| \(seconds(line.start)) | \(line.text) | \(seconds(line.seconds)) | \(line.result.words) |\n"
            }
        }
        try Output.write(Array(text.utf8), to: folder + "/report.md")
    }

    /// Seconds with two decimals.
    static func seconds(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension StepResult {
    public var words: String {
        switch self {
        case .passed: "passed"
        case .measured(let what), .refused(let what): "passed: \(what)"
        case .failed(let why): "FAILED: \(why)"
        case .skipped(let why): "skipped: \(why)"
        case .restsOn(let step): "skipped: rests on what was skipped: \(step)"
        }
    }

    /// Whether the step's result is printed after the scenario: if it failed, was skipped for itself, or passed with a
    /// measurement; the rest is only in the report.
    fileprivate var isWorthALine: Bool {
        switch self {
        case .passed, .refused, .restsOn: false
        case .measured, .failed, .skipped: true
        }
    }
}

extension ScenarioResult {
    /// The lines of text that are printed after the scenario; after a failure also the failed step, what was seen
    /// instead, and the end of the log.
    public var text: [String] {
        let head = "\(word)  \(name)  \(LoopReport.seconds(seconds)) s"
        let remarks = lines.filter(\.result.isWorthALine)
            .map { "        \($0.text): \($0.result.words)" }
        return [head] + remarks + (hasPassed ? replays : lastLines.map { "| " + $0 }).map { "        \($0)" }
    }
}
