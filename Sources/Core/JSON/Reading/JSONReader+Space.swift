extension JSONReader {
    /// Skips white space and, if the text is JSON5, comments.
    mutating func skipSpace() throws(Fault) {
        while position < bytes.count {
            if bytes[position] == 0x2F, isJSON5 {
                guard try skipComment() else { return }
            } else {
                let width = spaceWidth()
                guard width > 0 else { return }
                position += width
            }
        }
    }

    /// The length in bytes of the white-space character at the present position; 0 if there is none.
    ///
    /// JSON5 allows the white space of JSON and of ECMAScript 5.1: its line ends, the byte order mark, and all of
    /// Unicode's category Zs (JSON5 1.0.0, section 8).
    func spaceWidth() -> Int {
        switch bytes[position] {
        case 0x20, 0x0A, 0x0D, 0x09: return 1
        case 0x0B, 0x0C: return isJSON5 ? 1 : 0
        case 0x80...0xFF where isJSON5:
            guard let (scalar, width) = scalar(at: position) else { return 0 }
            let isSpace =
                switch scalar {
                case "\u{FEFF}", "\u{2028}", "\u{2029}": true
                default: scalar.properties.generalCategory == .spaceSeparator
                }
            return isSpace ? width : 0
        default: return 0
        }
    }

    /// Skips a comment; false if none begins at the present position.
    private mutating func skipComment() throws(Fault) -> Bool {
        switch bytes[position...].dropFirst().first {
        case 0x2F:
            while position < bytes.count, !isEndOfLine { position += 1 }
        case 0x2A:
            guard let end = endOfComment else { throw fault("the comment is not closed; close it with */") }
            position = end
        default: return false
        }
        return true
    }

    private var isEndOfLine: Bool {
        switch bytes[position] {
        case 0x0A, 0x0D: true
        case 0xE2: scalar(at: position).map { $0.0 == "\u{2028}" || $0.0 == "\u{2029}" } ?? false
        default: false
        }
    }

    private var endOfComment: Int? {
        var index = position + 2
        while index + 1 < bytes.count {
            if bytes[index] == 0x2A, bytes[index + 1] == 0x2F { return index + 2 }
            index += 1
        }
        return nil
    }
}
