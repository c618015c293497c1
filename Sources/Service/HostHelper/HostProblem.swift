internal import Programs

/// The files by which the daemon and the host-sleep helper exchange requests and answers.
///
/// Each program writes to its own folder in `/run`, which is empty after a boot; systemd creates both folders.
public struct HostFolders: Sendable {
    /// The daemon's folder, which systemd creates for the user sextant.
    public var daemon: String
    /// The helper's folder, which systemd creates for the user sextant-host.
    public var helper: String

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host") {
        self.daemon = daemon
        self.helper = helper
    }

    /// The file with the daemon's request to power the host off.
    public var request: String { daemon + "/host/request" }
    /// The file that names the host switch that the shutdown hook clears when the owner powers the host off.
    public var hostSwitch: String { daemon + "/host/switch" }
    /// The file with the daemon's request, kept by the helper for the shutdown hook before it asks logind to power off.
    public var kept: String { helper + "/kept" }
    /// The file with the helper's answer to the daemon's last request.
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
