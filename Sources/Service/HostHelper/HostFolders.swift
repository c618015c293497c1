internal import Glibc
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
    /// What became of the last request.
    public var answer: String { helper + "/answer" }

    /// The content of one of the daemon's files; nil where there is none.
    func readDaemons(_ path: String) throws(HostProblem) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: daemon)
    }

    /// The content of one of the helper's files; nil where there is none.
    func readHelpers(_ path: String) throws(HostProblem) -> [UInt8]? {
        try GuardedFile.read(path, ownerOf: helper)
    }
}

/// Why a request is not obeyed, or the hook does not cut: one line that names the thing and the mend.
struct HostProblem: Error, Equatable, CustomStringConvertible {
    var description: String

    init(_ path: String, _ text: String) { description = "\(path): \(text)" }

    init(_ path: String, errno: Int32) { self.init(path, SystemError.text(of: errno)) }

    /// What a file holds, or why it is refused with the file's path.
    static func of<Content>(_ path: String, _ parse: () throws -> Content) throws -> Content {
        do {
            return try parse()
        } catch {
            throw HostProblem(path, "\(error)")
        }
    }
}

/// Reads and writes the small files between the daemon, the helper and the hook.
enum GuardedFile {
    /// The most bytes of such a file.
    static let limit = 16_384

    /// The content of a file that the owner of a folder, and nobody else, may have written; nil where there is no file.
    ///
    /// The file that was checked is the file that is read, whatever happens to the path meanwhile.
    static func read(_ path: String, ownerOf folder: String) throws(HostProblem) -> [UInt8]? {
        let file: Descriptor
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe at this path would wait for its writer.
            file = try Descriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        } catch {
            guard error.errno != ENOENT else { return nil }
            guard error.errno != ELOOP else { throw HostProblem(path, "a link; only the file itself counts") }
            throw HostProblem(path, errno: error.errno)
        }
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard file.withRawValue({ unsafe fstat($0, &status) }) == 0 else { throw HostProblem(path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw HostProblem(path, "not a file of its own; only a file with one name counts")
        }
        let owner = try owner(of: folder)
        guard status.st_uid == owner, status.st_mode & 0o022 == 0 else {
            throw HostProblem(
                path, "others than user \(owner), whose folder it is in, may have written it; remove the file")
        }
        return try content(of: file, at: path)
    }

    /// The user that a folder belongs to, and who alone may add files.
    private static func owner(of folder: String) throws(HostProblem) -> UInt32 {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe lstat(folder, &status) == 0 else { throw HostProblem(folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o022 == 0 else {
            throw HostProblem(
                folder, "not a folder that its owner alone may write to; restart the service that makes it")
        }
        return status.st_uid
    }

    private static func content(of file: borrowing Descriptor, at path: String) throws(HostProblem) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: limit + 1)
        while bytes.count <= limit {
            switch file.read(into: &piece) {
            case .bytes(let count): bytes += piece[..<count]
            case .disconnected(errno: 0): return bytes
            case .disconnected(let errno): throw HostProblem(path, errno: errno)
            case .wouldBlock: throw HostProblem(path, errno: EAGAIN)
            }
        }
        throw HostProblem(path, "longer than \(limit) bytes; this is none of Sextant's")
    }

    /// Replaces a file as a whole; everybody may read it.
    static func write(_ text: String, to path: String) throws(HostProblem) {
        let new = path + ".new"
        _ = unsafe unlink(new)
        do throws(SystemError) {
            let file = try Descriptor(creating: new, mode: 0o644)
            let bytes = Array(text.utf8)
            guard case .bytes(bytes.count) = file.write(bytes.span) else {
                throw SystemError("write", errno: ENOSPC)
            }
        } catch {
            _ = unsafe unlink(new)
            throw HostProblem(new, error.description)
        }
        guard unsafe rename(new, path) == 0 else { throw HostProblem(path, errno: errno) }
    }

    static func remove(_ path: String) throws(HostProblem) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw HostProblem(path, errno: errno) }
    }
}
