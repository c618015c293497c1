import Glibc
import SextantReactor

/// Why a file for programs of another user was not read or written: one line with the file's name and the remedy.
public struct GuardedFileError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    init(_ path: String, _ text: String) { description = "\(path): \(text)" }

    init(_ path: String, errno: Int32) { self.init(path, SystemError.text(of: errno)) }
}

/// Reads and writes small files that programs of different users exchange.
///
/// Each program writes in a folder of its own. A reader refuses a file that another user could have put there, and
/// never sees a half-written file.
public enum GuardedFile {
    /// The largest size in bytes of a file that programs of different users exchange; a longer file is refused.
    public static let limit = 16_384

    /// The content of a file that only the owner of a folder can have written; nil if there is no file.
    ///
    /// The check and the reading use one open file, so that a change of the path in between has no effect.
    public static func read(_ path: String, ownerOf folder: String) throws(GuardedFileError) -> [UInt8]? {
        let file: Descriptor
        do throws(SystemError) {
            // Without O_NONBLOCK, opening a pipe at this path would wait for its writer.
            file = try Descriptor(opening: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        } catch {
            guard error.errno != ENOENT else { return nil }
            guard error.errno != ELOOP else { throw GuardedFileError(path, "a link; only the file itself counts") }
            throw GuardedFileError(path, errno: error.errno)
        }
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard file.withRawValue({ unsafe fstat($0, &status) }) == 0 else { throw GuardedFileError(path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
            throw GuardedFileError(path, "not a file of its own; only a file with one name counts")
        }
        let owner = try owner(of: folder)
        guard status.st_uid == owner, status.st_mode & 0o022 == 0 else {
            throw GuardedFileError(
                path, "others than user \(owner), whose folder it is in, may have written it; remove the file")
        }
        return try content(of: file, at: path)
    }

    /// The content of a file that only the owner of the file's folder can have written; nil if there is no file.
    public static func read(_ path: String) throws(GuardedFileError) -> [UInt8]? {
        let slash = path.lastIndex(of: "/")
        return try read(path, ownerOf: slash.map { String(path[...$0]) } ?? ".")
    }

    /// The user ID of a folder's owner; throws if other users can add files to the folder.
    private static func owner(of folder: String) throws(GuardedFileError) -> UInt32 {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe lstat(folder, &status) == 0 else { throw GuardedFileError(folder, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_mode & 0o022 == 0 else {
            throw GuardedFileError(
                folder, "not a folder that its owner alone may write to; restart the service that makes it")
        }
        return status.st_uid
    }

    private static func content(of file: borrowing Descriptor, at path: String) throws(GuardedFileError) -> [UInt8] {
        do throws(SystemError) {
            let bytes = try file.readAll(upTo: limit + 1)
            if bytes.count <= limit { return bytes }
        } catch {
            throw GuardedFileError(path, errno: error.errno)
        }
        throw GuardedFileError(path, "longer than \(limit) bytes; this is none of Sextant's")
    }

    /// Replaces a file in one step, so that nobody reads a part of it; every user can read the file.
    public static func write(_ text: String, to path: String) throws(GuardedFileError) {
        let new = path + ".new"
        _ = unsafe unlink(new)
        do throws(SystemError) {
            let file = try Descriptor(creating: new, mode: 0o644)
            let bytes = Array(text.utf8)
            switch file.write(bytes.span) {
            case .bytes(bytes.count): break
            case .disconnected(let errno): throw SystemError("write", errno: errno)
            // Only a full disk takes a part of so short a text.
            case .bytes, .wouldBlock: throw SystemError("write", errno: ENOSPC)
            }
        } catch {
            _ = unsafe unlink(new)
            throw GuardedFileError(new, error.description)
        }
        guard unsafe rename(new, path) == 0 else { throw GuardedFileError(path, errno: errno) }
    }

    public static func remove(_ path: String) throws(GuardedFileError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw GuardedFileError(path, errno: errno) }
    }
}
