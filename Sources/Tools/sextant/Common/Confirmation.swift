internal import ArgumentParser
internal import Glibc

/// The question that is asked before data is erased for good.
struct Confirmation: ParsableArguments {
    @Flag(help: "Erase without asking.")
    var yes = false

    /// Throws if the user cannot be asked, because standard input is no terminal, and `--yes` is not given.
    func require() throws {
        guard yes || isatty(0) == 1 else {
            throw ValidationError("standard input is not a terminal to ask on; give --yes to erase without asking")
        }
    }

    /// Asks the user whether to erase, and says so if nothing is erased.
    ///
    /// - Parameter subject: The name of the data to erase.
    /// - Returns: Whether to erase.
    func confirms(_ subject: String) -> Bool {
        guard !yes else { return true }
        StandardError.write("Erase \(subject)? It cannot be undone. (yes/no)")
        if ["y", "yes"].contains(readLine()?.lowercased() ?? "") { return true }
        StandardError.write("sextant: nothing was erased")
        return false
    }
}
