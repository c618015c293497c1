/// The steps and expectations of one scenario, from a file of `scripts/hil.d`.
public struct Scenario {
    /// A line of the scenario.
    struct Line {
        var number: Int
        var text: String
        var step: Step
        var needsEmulation: Bool
    }

    /// The name of the scenario's file without the file's ending.
    public let name: String
    /// The folder of the scenario's file; relative paths of files that the scenario names start there.
    public let folder: String
    /// The purpose of the scenario: the comment on the first line of its file.
    public let summary: String
    /// The operating system that the scenario runs on: Debian if the scenario begins with `on debian`, otherwise a bare
    /// kernel without a distribution.
    public let system: GuestMachine.System
    let lines: [Line]

    /// Reads a scenario with one step on each line; empty lines and text from `#` on are ignored.
    public init(named name: String, in folder: String = ".", _ text: String) throws(LoopFailure) {
        self.name = name
        self.folder = folder
        let all = text.split(separator: "\n", omittingEmptySubsequences: false)
        summary = all.first.map { $0.drop { $0 == "#" || $0 == " " } }.map(String.init) ?? ""
        var lines: [Line] = []
        var system = GuestMachine.System.bare
        for (index, line) in all.enumerated() {
            let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
            guard !words.isEmpty else { continue }
            if lines.isEmpty, words == ["on", "debian"] {
                system = .debian
                continue
            }
            lines.append(try Scenario.line(words, number: index + 1, of: name))
        }
        guard !lines.isEmpty else { throw LoopFailure(.scenario, "\(name): no steps") }
        self.lines = lines
        self.system = system
    }

    /// Reads a scenario from a file; the file's name without folder and extension is the scenario's name.
    public init(readFrom path: String) throws(LoopFailure) {
        let file = path.split(separator: "/").last.map(String.init) ?? path
        let name = file.split(separator: ".").first.map(String.init) ?? file
        let folder = path.contains("/") ? String(path.dropLast(file.count + 1)) : "."
        try self.init(named: name, in: folder, try Output.text(of: path))
    }

    private static func line(_ words: [String], number: Int, of name: String) throws(LoopFailure) -> Line {
        let text = words.joined(separator: " ")
        for pattern in StepPattern.all {
            guard let values = pattern.values(in: words) else { continue }
            guard let step = pattern.make(values) else {
                throw LoopFailure(.scenario, "\(name):\(number): \(text): a value is wrong; wanted: \(pattern.words)")
            }
            return Line(number: number, text: text, step: step, needsEmulation: pattern.needsEmulation)
        }
        let near = StepPattern.all.filter { $0.words.split(separator: " ").first.map(String.init) == words[0] }
        let known = near.isEmpty ? "sextant-hil --words lists them" : near.map(\.words).joined(separator: "; ")
        throw LoopFailure(.scenario, "\(name):\(number): \(text): no such step; known: \(known)")
    }

    /// Whether the guest must be restarted after the scenario; to save time such a scenario is best run last.
    public var costsReset: Bool { lines.contains { $0.step == .wireMotion || $0.step.fitsSwitch } }

    /// Whether the scenario needs a Debian guest without Sextant's package; such a scenario is best run first.
    public var wantsNoPackage: Bool {
        system == .debian && !lines.contains { $0.step == .havePackage }
    }

    /// Whether a step checks something; other steps only prepare a check.
    static func expects(_ text: String) -> Bool { text.hasPrefix("expect ") || text.hasPrefix("refused") }

    /// The pattern of each step that can occur in a scenario, followed by an explanation.
    public static var words: [String] { StepPattern.all.map { "\($0.words)\n    \($0.meaning)" } }
}
