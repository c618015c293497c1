internal import Glibc
package import SextantReactor

/// The system calls on files that the store needs; each throws a `StoreError`.
package enum StoreFile {
    /// Opens a file; to a new file only its owner has access.
    package static func open(_ path: String, flags: Int32) throws(StoreError) -> Descriptor {
        let result = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o600)
        guard result >= 0 else { throw StoreError(path: path, errno: errno) }
        return Descriptor(adopting: result)
    }

    /// The bytes of a file, at most the first `limit`; nil if there is no such file.
    package static func read(_ path: String, upTo limit: Int) throws(StoreError) -> [UInt8]? {
        do throws(SystemError) {
            return try SmallFile.read(path, upTo: limit)
        } catch {
            guard error.errno == ENOENT else { throw StoreError(path: path, errno: error.errno) }
            return nil
        }
    }

    /// Waits until the whole file is on the storage card (`fsync`).
    package static func sync(_ file: borrowing Descriptor, at path: String) throws(StoreError) {
        try check(file.withRawValue { fsync($0) }, path)
    }

    /// Waits until the names in the folder that contains this path are on the storage card.
    package static func syncFolder(of path: String) throws(StoreError) {
        let folder = folder(of: path)
        let file = try open(folder, flags: O_RDONLY | O_DIRECTORY)
        try sync(file, at: folder)
    }

    /// Renames a file, and thereby replaces any file that has the new name.
    package static func rename(_ path: String, to other: String) throws(StoreError) {
        try check(unsafe Glibc.rename(path, other), other)
    }

    /// Replaces a file's content as a whole; when this returns, the new content is on the storage card.
    ///
    /// An interruption at any moment leaves either the old file or the new one.
    static func replace(_ path: String, by bytes: [UInt8]) throws(StoreError) {
        let new = path + ".new"
        _ = unsafe unlink(new)
        do throws(StoreError) {
            let file = try open(new, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
            try file.write(all: bytes, at: new)
            try sync(file, at: new)
            try rename(new, to: path)
        } catch {
            _ = unsafe unlink(new)
            throw error
        }
        try syncFolder(of: path)
    }

    /// Identifies a file: no other file has the same identity while this file exists or is open; nil if there is no
    /// file at this path.
    static func identity(of path: String) -> FileIdentity? {
        var status = stat()
        // Safety: the kernel writes one status, which outlives the call; the C string lives for the call.
        guard unsafe lstat(path, &status) == 0 else { return nil }
        return FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    }

    /// A file's size in bytes, 0 if there is no such file; nil if the size cannot be determined.
    package static func size(of path: String) -> Int? {
        var status = stat()
        // Safety: the kernel writes one status, which outlives the call; the C string lives for the call.
        guard unsafe lstat(path, &status) != 0 else { return Int(status.st_size) }
        return errno == ENOENT ? 0 : nil
    }

    static func folder(of path: String) -> String {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    private static func check(_ result: Int32, _ path: String) throws(StoreError) {
        guard result == 0 else { throw StoreError(path: path, errno: errno) }
    }
}

extension Descriptor {
    /// Writes all of the bytes to a file.
    ///
    /// - Parameter path: The file's path, for errors.
    package borrowing func write(all bytes: [UInt8], at path: String) throws(StoreError) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch write(rest.span) {
            case .bytes(let count): rest.removeFirst(count)
            case .wouldBlock: throw StoreError(path: path, errno: EAGAIN)
            case .disconnected(let code): throw StoreError(path: path, errno: code)
            }
        }
    }
}

/// The number of the device that a file is on, and the file's inode number.
struct FileIdentity: Sendable, Equatable {
    var device: UInt64
    var number: UInt64
}
