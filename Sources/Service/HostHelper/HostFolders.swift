internal import SextantReactor

/// The files by which the daemon and the host-sleep helper exchange requests and answers.
///
/// Each program writes to its own folder in `/run`, which is empty after a boot; systemd creates both folders.
public struct HostFolders: Sendable {
    /// The daemon's folder, which systemd gives to the user sextant.
    public var daemon: String
    /// The helper's folder, which systemd gives to the user sextant-host.
    public var helper: String

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host") {
        self.daemon = daemon
        self.helper = helper
    }

    /// The file with the daemon's request to switch the host off.
    public var request: String { daemon + "/host/request" }
    /// The file that names the host switch that the hook clears when the owner powers the host off.
    public var place: String { daemon + "/host/switch" }
    /// The file with the request that the helper keeps for the hook while it asks logind to power off.
    public var kept: String { helper + "/kept" }
    /// The file with the answer to the last request.
    public var answer: String { helper + "/answer" }

    /// The content of one of the daemon's files; nil if there is no such file.
    func readDaemons(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: daemon)
    }

    /// The content of one of the helper's files; nil if there is no such file.
    func readHelpers(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: helper)
    }
}

/// Why a request is refused, or why the hook does not cut the supply: one line that names the file and what is wrong.
struct HostProblem: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ path: String, _ text: String) { description = "\(path): \(text)" }

    /// The parsed content of a file; an error gets the file's path.
    static func of<Content>(_ path: String, _ parse: () throws -> Content) throws -> Content {
        do {
            return try parse()
        } catch {
            throw HostProblem(path, "\(error)")
        }
    }
}
