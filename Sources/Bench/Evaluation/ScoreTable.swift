internal import Pictures

/// Scores of policies on traces at accuracies, as a table in Markdown.
///
/// There is one line for each trace and accuracy and one column for each policy, in the order in which they first came.
/// A cell holds the receiver's mean power in milliwatts, the share of time in violation, and the regret, which is the
/// energy over the oracle's where that is known. A policy in violation for more than the allowance has no energy score.
public struct ScoreTable: Sendable {
    private struct Line: Hashable {
        var trace: String
        var accuracy: Double
    }

    private let allowance: Double
    private var policies: [String] = []
    private var lines: [Line] = []
    private var scores: [Line: [String: RunScore]] = [:]

    /// - Parameter allowance: The share of time that may be in violation, 0.05 for 5 %.
    public init(allowance: Double) {
        precondition((0..<1).contains(allowance), "an allowance is a share below 1")
        self.allowance = allowance
    }

    /// Adds a score; the same policy on the same trace at the same accuracy takes the former one's place.
    ///
    /// - Parameter accuracy: Metres.
    public mutating func add(_ score: RunScore, policy: String, trace: String, accuracy: Double) {
        let line = Line(trace: trace, accuracy: accuracy)
        if !policies.contains(policy) { policies.append(policy) }
        if scores[line] == nil { lines.append(line) }
        scores[line, default: [:]][policy] = score
    }

    public var markdown: String {
        var rows = [["trace", "accuracy (m)"] + policies.map(Self.escaped) + ["always on (mW)", "oracle (mW)"]]
        rows.append(["---", "---:"] + [String](repeating: "---:", count: policies.count + 2))
        for line in lines {
            let known = scores[line] ?? [:]
            let cells = policies.map { policy in known[policy].map(cell) ?? "" }
            rows.append(
                [Self.escaped(line.trace), SVGText.number(line.accuracy)] + cells
                    + reference(policies.compactMap { known[$0] }))
        }
        return rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    private func cell(_ score: RunScore) -> String {
        let violated = Self.percent(score.timeViolated)
        guard score.timeViolated <= allowance else { return "fails (\(violated))" }
        let power = Self.milliwatts(score.receiverMilliwatts)
        guard let oracle = score.oracleJoules, oracle > 0 else { return "\(power) (\(violated))" }
        return "\(power) (\(violated), \(SVGText.number(score.receiverJoules / oracle))×)"
    }

    /// Always on and the oracle, which are the same for every policy but for when its first fix came.
    private func reference(_ scores: [RunScore]) -> [String] {
        guard let first = scores.first else { return ["", ""] }
        let oracle = scores.first { $0.oracleJoules != nil }
        return [
            Self.milliwatts(first.alwaysOnJoules / first.hours / 3.6),
            oracle.flatMap { score in score.oracleJoules.map { Self.milliwatts($0 / score.hours / 3.6) } } ?? "",
        ]
    }

    /// Three digits that count, two decimals at least where it is small.
    private static func milliwatts(_ value: Double) -> String {
        SVGText.number(value < 10 ? value : (value * 10).rounded() / 10)
    }

    private static func percent(_ share: Double) -> String { "\(SVGText.number((share * 1000).rounded() / 10)) %" }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
