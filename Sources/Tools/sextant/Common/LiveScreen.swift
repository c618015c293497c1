internal import Glibc
internal import Programs

/// A screen that is redrawn in place on a terminal, as gpsd's cgps does, without scrolling or flickering.
enum LiveScreen {
    /// Whether standard output is a terminal; otherwise the output is printed line below line.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    static func draw(_ lines: [String]) throws(CommandFailure) {
        // The escape sequences move the cursor to the top left, erase the rest of each line after its text, and erase
        // everything below the last line.
        let text = lines.map(\.printable).joined(separator: "\u{1B}[K\n")
        try StandardOutput.write(Array("\u{1B}[H\(text)\u{1B}[K\n\u{1B}[J".utf8))
    }
}
