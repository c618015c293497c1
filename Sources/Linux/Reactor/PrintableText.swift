extension String {
    /// The text with each character that a terminal or a log would obey replaced by a question mark, since somebody else
    /// has chosen the text: a client its name, any user the path of a program.
    ///
    /// These are controls (Unicode's category Cc), the separators of lines and paragraphs, and the marks that turn the
    /// direction of what follows (UAX #9, section 2).
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
