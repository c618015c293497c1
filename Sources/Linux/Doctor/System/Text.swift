extension String {
    /// The text's lines, numbered from 1; lines can also end as on other systems, with a carriage return.
    var numberedLines: [(number: Int, text: Substring)] {
        split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated().map { ($0.offset + 1, $0.element) }
    }
}

extension StringProtocol {
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return String(self[start..<end])
    }

    var words: [String] { String(self).split(whereSeparator: \.isWhitespace).map { String($0) } }

    /// The parts before and after the first occurrence of a character; the second part is nil if the character is
    /// missing.
    func parted(at separator: Character) -> (String, String?) {
        guard let end = firstIndex(of: separator) else { return (String(self), nil) }
        return (String(self[..<end]), String(self[index(after: end)...]))
    }
}
