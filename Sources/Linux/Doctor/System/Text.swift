extension String {
    /// Its lines, with their numbers from 1; a file of another system's may end them with a carriage return too.
    var numberedLines: [(number: Int, text: Substring)] {
        split(omittingEmptySubsequences: false) { $0.isNewline }.enumerated().map { ($0.offset + 1, $0.element) }
    }
}

extension StringProtocol {
    /// Without the blanks at both ends.
    var trimmed: String {
        let start = firstIndex { !$0.isWhitespace } ?? endIndex
        let end = lastIndex { !$0.isWhitespace }.map(index(after:)) ?? start
        return String(self[start..<end])
    }

    /// Its words.
    var words: [String] { String(self).split(whereSeparator: \.isWhitespace).map { String($0) } }

    /// What is before and after the first of a character; the second is nil where there is none.
    func parted(at separator: Character) -> (String, String?) {
        guard let place = firstIndex(of: separator) else { return (String(self), nil) }
        return (String(self[..<place]), String(self[index(after: place)...]))
    }
}
