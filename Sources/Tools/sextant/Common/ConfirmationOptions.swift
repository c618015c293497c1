internal import ArgumentParser
internal import Glibc

/// The question to the user before data is erased for good; the option `--yes` skips the question.
struct ConfirmationOptions: ParsableArguments {
    @Flag(help: "Erase without asking.")
    var yes = false

    /// Throws if `--yes` is not given and the user cannot be asked, because standard input is not a terminal.
    func require() throws {
        guard yes || isatty(0) == 1 else {
            throw ValidationError("standard input is not a terminal to ask on; give --yes to erase without asking")
        }
    }

    /// Asks the user whether to erase, and prints that nothing was erased if the user declines.
    ///
    /// - Parameter subject: The name of the data to erase, for the question.
    /// - Returns: Whether to erase.
    func confirms(_ subject: String) -> Bool {
        guard !yes else { return true }
        StandardError.write("Erase \(subject)? It cannot be undone. (yes/no)")
        if ["y", "yes"].contains(readLine()?.lowercased() ?? "") { return true }
        StandardError.write("sextant: nothing was erased")
        return false
    }
}
