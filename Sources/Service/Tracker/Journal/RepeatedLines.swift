internal import SextantUnits

/// Log lines that a client can cause as often as it likes.
///
/// A line is written at once, and, while it comes again, once a minute with the number of times that it came.
struct RepeatedLines {
    private struct Line {
        let key: String
        var text: String
        var count = 0
        /// When the repetitions are written; a line that has none by then is new again.
        var due: MonotonicInstant
    }

    /// Nanoseconds between two lines of one kind.
    static let interval: Int64 = 60_000_000_000
    /// The most kinds of lines that are told apart; further kinds count as one.
    static let maximumKinds = 64

    private var lines: [Line] = []

    /// When the next repetitions are to be written; nil for never.
    var deadline: MonotonicInstant? { lines.lazy.filter { $0.count > 0 }.map(\.due).min() }

    /// Takes a line.
    ///
    /// - Parameter key: The line's kind; lines of one kind are counted together.
    /// - Returns: The line that is to be written now; nil where it is only counted.
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

    /// Lets time pass.
    ///
    /// - Returns: The lines that are to be written now.
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
