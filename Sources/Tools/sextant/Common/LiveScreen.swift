internal import Glibc

/// A picture on a terminal that is drawn anew in its place, as cgps does: nothing scrolls, and nothing flickers.
enum LiveScreen {
    /// Whether standard output is a terminal; elsewhere pictures follow one another as lines.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    static func draw(_ lines: [String]) throws(CommandFailure) {
        // Home; what was there before is erased line by line, and at last what stood below.
        try StandardOutput.write(line: "\u{1B}[H" + lines.joined(separator: "\u{1B}[K\n") + "\u{1B}[K\n\u{1B}[J")
    }
}
