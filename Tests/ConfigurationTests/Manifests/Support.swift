import Configuration
import Foundation
import Glibc
import TestSupport

extension TemporaryFolder {
    var clients: String { "\(path)/clients.d" }
    var policy: String { "\(path)/policy.json5" }

    /// One with a folder of clients' manifests.
    static var withClients: TemporaryFolder {
        let folder = TemporaryFolder()
        folder.makeClients()
        return folder
    }

    func makeClients() { precondition(unsafe mkdir(clients, 0o755) == 0) }

    /// Writes a file in place and returns its path.
    @discardableResult
    func write(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
        let file = "\(path)/\(name)"
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        precondition(unsafe chmod(file, mode) == 0)
        return file
    }

    @discardableResult
    func manifest(_ name: String, _ text: String, mode: mode_t = 0o644) throws -> String {
        try write("clients.d/\(name)", text, mode: mode)
    }

    func open() -> ManifestFolder { ManifestFolder(folder: clients, policy: policy, accounts: .forTests) }
}

/// What a reader makes of a file with this text; in the error's message, the file's path is FILE.
func readFile<Value>(_ text: String, _ reader: (_ path: String) throws -> Value) throws -> Value {
    let folder = TemporaryFolder()
    let path = try folder.write("board.json5", text)
    defer { withExtendedLifetime(folder) {} }
    do {
        return try reader(path)
    } catch var error as ConfigurationError {
        error.description = error.description.replacingOccurrences(of: path, with: "FILE")
        throw error
    }
}

extension Accounts {
    /// A board with the user ada, 1000, and the group sextant, 900.
    static let forTests = Accounts(
        userID: { $0 == "ada" ? 1000 : nil }, groupID: { $0 == "sextant" ? 900 : nil })
}
