import Foundation

/// A directory of one test's own, removed at its end.
final class Scratch {
    let path: String
    private var fileCount = 0

    init() throws {
        // Short: a socket's path has at most 107 bytes.
        path = "/tmp/sxe2e-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// A path in the directory, for a file that has a name of its own.
    func path(_ name: String) -> String { "\(path)/\(name)" }

    /// A path that no file has yet.
    func newPath(_ name: String) -> String {
        fileCount += 1
        return "\(path)/\(fileCount)-\(name)"
    }

    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(filePath: path(name)))
        return path(name)
    }

    func write(_ text: String, to name: String) throws -> String { try write(Array(text.utf8), to: name) }

    /// Writes a table of two places, as `sextant places build` makes it of a list; every `Client` reads it.
    func writePlaces() async throws -> String {
        let list = try write(
            """
            country\tCH\tSwitzerland
            place\tZürich\t47.36667\t8.55\t415367\tCH\t\t\tEurope/Zurich\t
            place\tZürich (Kreis 11) / Oerlikon\t47.40823\t8.54258\t17922\tCH\t\t\tEurope/Zurich\t\tOerlikon

            """, to: "places.txt")
        let built = try await Program.sextant(["places", "build", list, "--output", placesPath], in: self)
        guard built.status == 0 else { throw Late(description: built.program.errors) }
        return placesPath
    }

    /// Where `writePlaces` writes.
    var placesPath: String { path("places.sqlite") }

    /// A client's program under a name of its own, by which the kernel tells it from others.
    func probe(named name: String) async throws -> String {
        let path = path(name)
        guard !FileManager.default.fileExists(atPath: path) else { return path }
        let built = URL(filePath: "\(Built.folder)/location-probe").resolvingSymlinksInPath()
        do {
            try FileManager.default.linkItem(at: built, to: URL(filePath: path))
        } catch {
            // On another file system. A process of its own writes the copy: a file that this one has open for writing
            // while another thread starts a process cannot be run.
            let copying = try await Program.shell("cp '\(built.path)' '\(path)'", in: self)
            guard copying.status == 0 else { throw Late(description: copying.program.errors) }
        }
        return path
    }
}
