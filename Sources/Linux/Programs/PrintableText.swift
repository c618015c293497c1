extension String {
    /// The text with a question mark for each character that controls a terminal or a log.
    ///
    /// The text can come from an untrusted source: a client chooses its own name, and a user the path of a program. The
    /// replaced characters are controls (Unicode's category Cc), the separators of lines and paragraphs, and the marks
    /// that change the direction of the text after them (UAX #9, section 2).
    public var printable: String {
        String(String.UnicodeScalarView(unicodeScalars.map { String.isObeyed($0.value) ? "?" : $0 }))
    }

    private static func isObeyed(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }
}
