internal import ArgumentParser
internal import Glibc

/// What is asked before something is erased for good.
struct Confirmation: ParsableArguments {
    @Flag(help: "Erase without asking.")
    var yes = false

    /// Throws where there is nobody to ask.
    func require() throws {
        guard yes || isatty(0) == 1 else {
            throw ValidationError("standard input is no terminal to ask on; give --yes to erase without asking")
        }
    }

    /// - Parameter subject: What is to be erased.
    /// - Returns: Whether it is to be; where not, that is said.
    func confirms(_ subject: String) -> Bool {
        guard !yes else { return true }
        StandardError.write("Erase \(subject)? It cannot be undone. (yes/no)")
        if ["y", "yes"].contains(readLine()?.lowercased() ?? "") { return true }
        StandardError.write("sextant: nothing was erased")
        return false
    }
}
