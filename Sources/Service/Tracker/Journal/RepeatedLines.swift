internal import SextantUnits

/// Log lines that a client can cause as often as it likes.
///
/// A line is written at once. If it recurs, it is written once a minute with the number of its repetitions.
struct RepeatedLines {
    private struct Line {
        let key: String
        var text: String
        var count = 0
        /// When the repetitions are written; a line without repetitions by then counts as new again.
        var due: MonotonicInstant
    }

    /// The interval in nanoseconds between two lines of one kind.
    static let interval: Int64 = 60_000_000_000
    /// The largest number of kinds of lines that are counted separately; further kinds count as one.
    static let maximumKinds = 64

    private var lines: [Line] = []

    /// When repetitions must be written next; nil for never.
    var deadline: MonotonicInstant? { lines.lazy.filter { $0.count > 0 }.map(\.due).min() }

    /// Takes a line.
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

    /// Advances to an instant.
    ///
    /// - Returns: The lines to write now.
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
