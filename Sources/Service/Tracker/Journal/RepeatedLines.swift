internal import SextantUnits

/// Log lines that a client can cause as often as it likes.
///
/// A line is written at once. If it recurs, it is written once per minute with the number of its repetitions.
struct RepeatedLines {
    private struct Line {
        let key: String
        var text: String
        var count = 0
        /// When the number of a line's repetitions is written; if there are none by then, the line's next occurrence
        /// counts as new.
        var due: MonotonicInstant
    }

    /// The interval in nanoseconds between two log lines of one kind.
    static let interval: Int64 = 60_000_000_000
    /// The largest number of kinds of lines that are counted separately; further kinds count as one.
    static let maximumKinds = 64

    private var lines: [Line] = []

    /// When the number of repeated lines must be written next; nil for never.
    var deadline: MonotonicInstant? { lines.lazy.filter { $0.count > 0 }.map(\.due).min() }

    /// Takes a log line, and decides whether to write or only to count it.
    ///
    /// - Parameter key: The line's kind; lines of one kind are counted together.
    /// - Returns: The line to write now; nil if it is only counted.
    mutating func take(_ text: String, kind key: String, at instant: MonotonicInstant) -> String? {
        lines.removeAll { $0.count == 0 && $0.due <= instant }
        if let index = lines.firstIndex(where: { $0.key == key }) {
            lines[index].text = text
            lines[index].count += 1
            return nil
        }
        guard lines.count < RepeatedLines.maximumKinds || key.isEmpty else { return take(text, kind: "", at: instant) }
        lines.append(Line(key: key, text: text, due: instant.advanced(byNanoseconds: RepeatedLines.interval)))
        return text
    }

    /// Ends the intervals of counting that are over at an instant.
    ///
    /// - Returns: The lines to write now, with the numbers of their repetitions.
    mutating func advance(to instant: MonotonicInstant) -> [String] {
        var due: [String] = []
        for index in lines.indices where lines[index].due <= instant && lines[index].count > 0 {
            due.append("\(lines[index].text) (\(lines[index].count) more within a minute)")
            lines[index].count = 0
            lines[index].due = instant.advanced(byNanoseconds: RepeatedLines.interval)
        }
        return due
    }
}
