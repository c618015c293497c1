import MetricsText
import SextantJSON

/// A line of metrics, read as Prometheus reads it.
struct MetricsSample: Equatable {
    var name: String
    var labels: [String: String]
    var value: Double
}

/// Reads metrics as a scraper does, and names what it would refuse.
///
/// Source: Prometheus, "Exposition formats", and OpenMetrics 1.0.0, "Text format".
struct MetricsReader {
    private(set) var samples: [MetricsSample] = []
    private(set) var types: [String: String] = [:]
    private(set) var units: [String: String] = [:]
    private(set) var problems: [String] = []
    private(set) var endsWithEOF = false

    init(_ text: String) {
        guard text.hasSuffix("\n") else {
            problems.append("the last line has no end")
            return
        }
        var family = ""
        var seen: Set<String> = []
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if endsWithEOF { problems.append("a line behind the end: \(line)") }
            if line == "# EOF" {
                endsWithEOF = true
            } else if line.hasPrefix("#") {
                let words = line.split(separator: " ", maxSplits: 3).map(String.init)
                guard words.count == 4 else {
                    problems.append("a comment of too few words: \(line)")
                    continue
                }
                switch words[1] {
                case "HELP":
                    family = words[2]
                    if !seen.insert(family).inserted { problems.append("\(family) comes twice") }
                case "TYPE":
                    if words[2] != family { problems.append("a TYPE without its HELP: \(line)") }
                    types[family] = words[3]
                case "UNIT":
                    if !family.hasSuffix("_" + words[3]) { problems.append("\(family) does not end in its unit") }
                    units[family] = words[3]
                default: problems.append("an unknown comment: \(line)")
                }
            } else if let sample = MetricsReader.sample(line) {
                if !sample.name.hasPrefix(family) { problems.append("\(sample.name) stands under \(family)") }
                if samples.contains(where: { $0.name == sample.name && $0.labels == sample.labels }) {
                    problems.append("a series comes twice: \(line)")
                }
                samples.append(sample)
            } else {
                problems.append("not a sample: \(line)")
            }
        }
    }

    subscript(name: String, labels: [String: String] = [:]) -> Double? {
        samples.first { $0.name == name && $0.labels == labels }?.value
    }

    private static func sample(_ line: String) -> MetricsSample? {
        var rest = Substring(line)
        let name = rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        rest = rest.dropFirst(name.count)
        var labels: [String: String] = [:]
        if rest.first == "{" {
            rest = rest.dropFirst()
            while rest.first != "}" {
                if rest.first == "," { rest = rest.dropFirst() }
                let label = rest.prefix { $0.isLetter || $0 == "_" }
                rest = rest.dropFirst(label.count)
                guard !label.isEmpty, rest.hasPrefix("=\"") else { return nil }
                rest = rest.dropFirst(2)
                guard let value = takeValue(&rest), labels[String(label)] == nil else { return nil }
                labels[String(label)] = value
            }
            rest = rest.dropFirst()
        }
        guard !name.isEmpty, rest.first == " ", let value = Double(rest.dropFirst()) else { return nil }
        return MetricsSample(name: String(name), labels: labels, value: value)
    }

    /// Takes a label's value and the quote behind it.
    private static func takeValue(_ rest: inout Substring) -> String? {
        var scalars = String.UnicodeScalarView()
        var isEscaped = false
        let all = rest.unicodeScalars
        for index in all.indices {
            let scalar = all[index]
            if isEscaped {
                switch scalar {
                case "n": scalars.append("\n")
                case "\\", "\"": scalars.append(scalar)
                default: return nil
                }
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else if scalar == "\"" {
                rest = Substring(all[all.index(after: index)...])
                return String(scalars)
            } else {
                scalars.append(scalar)
            }
        }
        return nil
    }
}

/// The daemon's lines as the writer takes them.
func source(status: String, energy: String = "{}") throws -> MetricsText.Source {
    func members(_ text: String) throws -> [String: JSONValue] {
        guard case .object(let members) = try JSONValue(parsing: Array(text.utf8)) else { return [:] }
        return members
    }
    return MetricsText.Source(status: try members(status), energy: try members(energy), protocolVersion: 1)
}

func text(_ source: MetricsText.Source?, _ format: MetricsText.Format = .plain) -> String {
    var text = TextBuffer()
    MetricsText.append(source, format, to: &text)
    return text.string
}
