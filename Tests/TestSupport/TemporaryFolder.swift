internal import Foundation

/// A directory of its own for one test, removed at its end with what is in it.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() {
        // Short: a socket's path has at most 107 bytes.
        path = "/tmp/sextant-\(UUID().uuidString.prefix(8))"
        precondition(unsafe mkdir(path, 0o700) == 0)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is in it, sorted.
    public var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path).sorted()) ?? [] }
}
