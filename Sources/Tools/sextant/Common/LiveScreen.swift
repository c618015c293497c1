internal import Glibc
internal import SextantReactor

/// A screen on a terminal that is redrawn in place, as cgps does, without scrolling or flickering.
enum LiveScreen {
    /// Whether standard output is a terminal; otherwise the screens are printed one after another.
    static var isThere: Bool { isatty(STDOUT_FILENO) == 1 }

    static func draw(_ lines: [String]) throws(CommandFailure) {
        // Moves the cursor to the top left; then erases the rest of each line, and at the end everything below.
        let text = lines.map(\.printable).joined(separator: "\u{1B}[K\n")
        try StandardOutput.write(Array("\u{1B}[H\(text)\u{1B}[K\n\u{1B}[J".utf8))
    }
}
