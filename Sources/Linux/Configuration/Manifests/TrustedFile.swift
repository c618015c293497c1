internal import Glibc
internal import SextantReactor

/// Reads files that grant permissions; refuses a file to which a user other than root and the daemon's own can write.
enum TrustedFile {
    private static let maximumBytes = 65_536

    /// The bytes of a regular file to which no other user can write; nil if there is no file.
    ///
    /// The file is opened once for the check and for the reading, so that nobody can put another file at the path in
    /// between.
    static func contents(of path: String) throws(ConfigurationError) -> [UInt8]? {
        let file: Descriptor
        do throws(SystemError) {
            // If the path were a named pipe, opening it without O_NONBLOCK would wait for a writer.
            file = try Descriptor(opening: path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            guard error.errno != ENOENT, error.errno != ENOTDIR else { return nil }
            throw unreadable(path, errno: error.errno)
        }
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard file.withRawValue({ unsafe fstat($0, &status) }) == 0 else { throw unreadable(path, errno: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(
                description: "\(path): not a file; put one there, or rename it", isUnreadable: true)
        }
        try check(status, at: path)
        return try read(file, at: path)
    }

    /// Whether a folder exists; throws if users other than root and the daemon's own can write to it, since they could
    /// add and remove files.
    static func hasFolder(at path: String) throws(ConfigurationError) -> Bool {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe stat(path, &status) == 0 else {
            guard errno != ENOENT, errno != ENOTDIR else { return false }
            throw unreadable(path, errno: errno)
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw ConfigurationError(description: "\(path): not a folder; make it one", isUnreadable: true)
        }
        try check(status, at: path)
        return true
    }

    private static func check(_ status: stat, at path: String) throws(ConfigurationError) {
        let user = geteuid()
        guard status.st_uid == 0 || status.st_uid == user else {
            throw ConfigurationError(
                description: "\(path): belongs to user \(status.st_uid), who could authorize any client with it; "
                    + "give it to root: chown root",
                isUnreadable: true)
        }
        guard status.st_mode & 0o022 == 0 else {
            throw ConfigurationError(
                description: "\(path): other users may write it and could authorize any client with it; "
                    + "take that from them: chmod go-w",
                isUnreadable: true)
        }
    }

    private static func read(_ file: borrowing Descriptor, at path: String) throws(ConfigurationError) -> [UInt8] {
        do throws(SystemError) {
            let bytes = try file.readAll(upTo: maximumBytes + 1)
            if bytes.count <= maximumBytes { return bytes }
        } catch {
            throw unreadable(path, errno: error.errno)
        }
        throw ConfigurationError(description: "\(path): larger than 64 KiB; this is not a Sextant configuration")
    }

    static func unreadable(_ path: String, errno: Int32) -> ConfigurationError {
        let text =
            errno == EACCES
            ? "permission denied; make it readable for the user that runs sextantd" : SystemError.text(of: errno)
        return ConfigurationError(description: "\(path): \(text)", isUnreadable: true)
    }
}
