internal import SextantReactor

/// Where the daemon and the helper of host sleep leave files for one another.
///
/// Each program writes to a folder of its own in `/run`, which a boot empties, and systemd makes both.
public struct HostFolders: Sendable {
    /// The daemon's folder, which systemd gives to the user sextant.
    public var daemon: String
    /// The helper's, which systemd gives to the user sextant-host.
    public var helper: String

    public init(daemon: String = "/run/sextant", helper: String = "/run/sextant-host") {
        self.daemon = daemon
        self.helper = helper
    }

    /// The daemon's request to switch the host off.
    public var request: String { daemon + "/host/request" }
    /// Which switch the hook clears where the owner switches the host off.
    public var place: String { daemon + "/host/switch" }
    /// The request for which logind is being asked, for the hook.
    public var kept: String { helper + "/kept" }
    /// The file with the answer to the last request.
    public var answer: String { helper + "/answer" }

    /// The content of one of the daemon's files; nil where there is none.
    func readDaemons(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: daemon)
    }

    /// The content of one of the helper's files; nil where there is none.
    func readHelpers(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: helper)
    }
}

/// Why a request is not obeyed, or the hook does not cut: one line that names the thing and the mend.
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
