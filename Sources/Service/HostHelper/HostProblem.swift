/// Why a request is refused, or why the shutdown hook does not cut the supply: one line that names the file and what is
/// wrong.
struct HostProblem: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ path: String, _ text: String) { description = "\(path): \(text)" }

    /// The parsed content of a file; an error in it is thrown with the file's path.
    static func of<Content>(_ path: String, _ parse: () throws -> Content) throws -> Content {
        do {
            return try parse()
        } catch {
            throw HostProblem(path, "\(error)")
        }
    }
}
