internal import Pictures

/// Scores of several power policies on several traces and requested accuracies, as a table in Markdown.
///
/// There is one row for each trace and accuracy. Each policy has three columns, in the order in which the policies were
/// first added:
/// - the receiver's mean power in milliwatts, and how many times less that is than the power of an always-on receiver,
/// - the share of the moving time in which the location violates the accuracy, with "fails" before a share above the
///   allowance,
/// - the seconds after which, in nine of ten bouts of movement, a wrong location is right again, and the longest
///   violation within a bout in seconds.
///
/// The last column is the mean power of the oracle, a policy that knows the trace in advance.
public struct ScoreTable: Sendable {
    private struct Line: Hashable {
        var trace: String
        var accuracy: Double
    }

    private static let columnsOfPolicy = 3

    private let allowance: Double
    private var policies: [String] = []
    private var lines: [Line] = []
    private var scores: [Line: [String: RunScore]] = [:]

    /// - Parameter allowance: The share of the moving time in which the location may violate the requested accuracy,
    ///   0.05 for 5 %.
    public init(allowance: Double) {
        precondition((0..<1).contains(allowance), "an allowance is a share below 1")
        self.allowance = allowance
    }

    /// Adds a run's score to the table, replacing an earlier one of the same policy, trace and accuracy.
    ///
    /// - Parameter accuracy: The requested accuracy, in metres.
    public mutating func add(_ score: RunScore, policy: String, trace: String, accuracy: Double) {
        let line = Line(trace: trace, accuracy: accuracy)
        if !policies.contains(policy) { policies.append(policy) }
        if scores[line] == nil { lines.append(line) }
        scores[line, default: [:]][policy] = score
    }

    public var markdown: String {
        var rows = [["trace", "accuracy, m"] + policies.flatMap(heads) + ["oracle, mW"]]
        let count = policies.count * Self.columnsOfPolicy + 2
        rows.append(["---"] + [String](repeating: "---:", count: count))
        for line in lines {
            let known = scores[line] ?? [:]
            let cells = policies.flatMap { policy in
                known[policy].map(self.cells) ?? [String](repeating: "", count: Self.columnsOfPolicy)
            }
            let oracle = policies.lazy.compactMap { known[$0].flatMap(Self.oracleMilliwatts) }.first
            rows.append(
                [Self.escaped(line.trace), SVGText.number(line.accuracy)] + cells
                    + [oracle.map(Self.milliwatts) ?? ""])
        }
        return rows.map { "| " + $0.joined(separator: " | ") + " |\n" }.joined()
    }

    private func heads(_ policy: String) -> [String] {
        [
            "\(Self.escaped(policy)), mW (times below always on)", "violated while moving",
            "right again (p90) / longest, s",
        ]
    }

    private func cells(_ score: RunScore) -> [String] {
        let power = Self.milliwatts(score.receiverMilliwatts)
        let saved = score.receiverJoules > 0 ? Self.times(score.alwaysOnJoules / score.receiverJoules) : "–"
        guard let violated = score.moving.violatedMoving, let again = score.moving.rightAgainP90 else {
            return ["\(power) (\(saved)×)", "does not move", "–"]
        }
        let fails = violated > allowance ? "fails: " : ""
        return [
            "\(power) (\(saved)×)", "\(fails)\(Self.percent(violated))",
            "\(SVGText.number(again.rounded())) / \(score.moving.longestMoving)",
        ]
    }

    private static func oracleMilliwatts(_ score: RunScore) -> Double? {
        score.oracleJoules.map { $0 / score.hours / 3.6 }
    }

    /// Formats a power with three significant digits and at most two decimals.
    private static func milliwatts(_ value: Double) -> String {
        SVGText.number(value < 10 ? value : (value * 10).rounded() / 10)
    }

    private static func times(_ value: Double) -> String {
        SVGText.number(value < 10 ? (value * 10).rounded() / 10 : value.rounded())
    }

    private static func percent(_ share: Double) -> String { "\(SVGText.number((share * 1000).rounded() / 10)) %" }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
    }
}
