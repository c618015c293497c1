internal import Glibc
internal import SextantReactor

/// A picture on a terminal that is drawn anew in its place, as cgps does: nothing scrolls, and nothing flickers.
enum LiveScreen {
    /// Whether standard output is a terminal; elsewhere pictures follow one another as lines.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    static func draw(_ lines: [String]) throws(CommandFailure) {
        // Home; what was there before is erased line by line, and at last what stood below.
        let text = lines.map(\.printable).joined(separator: "\u{1B}[K\n")
        try StandardOutput.write(Array("\u{1B}[H\(text)\u{1B}[K\n\u{1B}[J".utf8))
    }
}
