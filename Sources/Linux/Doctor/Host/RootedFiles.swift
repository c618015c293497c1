internal import CSextantLinux
internal import Glibc
internal import LinuxHardware
internal import SextantReactor

/// The files of a system below a root directory: `/` for this system, or the mount point of another system's card.
public struct RootedFiles: SystemFiles {
    private let root: String

    /// - Parameter root: The root directory of the examined system; `/` for this system.
    public init(root: String) {
        self.root = root == "/" ? "" : root
    }

    public func entry(at path: String) -> FileEntry? {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe lstat(root + path, &status) == 0 else { return nil }
        let kind = kind(status, at: path)
        let access: AccessList? = if case .characterDevice = kind { accessList(of: path) } else { nil }
        return FileEntry(
            kind, mode: status.st_mode & 0o7777, owner: status.st_uid, group: status.st_gid, access: access,
            inode: UInt64(status.st_ino))
    }

    private func accessList(of path: String) -> AccessList? {
        var bytes = [UInt8](repeating: 0, count: 1024)
        // Safety: the C function writes no more than the buffer's count, and the buffer outlives the call.
        let count = unsafe clinux_access_list(root + path, &bytes, bytes.count)
        return count > 0 ? AccessList(attribute: Array(bytes[..<count])) : nil
    }

    private func kind(_ status: stat, at path: String) -> FileEntry.Kind {
        switch status.st_mode & S_IFMT {
        case S_IFREG: .file
        case S_IFDIR: .folder
        case S_IFCHR: .characterDevice(number: UInt64(status.st_rdev))
        case S_IFLNK: SymbolicLink.target(of: root + path).map { .link(target: $0) } ?? .other
        default: .other
        }
    }

    public func names(in path: String) -> [String]? { try? FolderListing.names(in: root + path) }

    /// Reads only regular files, because opening a device can have side effects.
    public func contents(of path: String) -> [UInt8]? {
        guard let entry = entry(at: path), entry.kind == .file,
            let file = try? Descriptor(opening: root + path, flags: O_RDONLY | O_NONBLOCK | O_NOCTTY)
        else { return nil }
        return try? file.readAll(upTo: longestContents)
    }

    public func freeBytes(at path: String) -> UInt64? {
        var status = statvfs()
        // Safety: the kernel fills one `statvfs`, which outlives the call.
        guard unsafe statvfs(root + path, &status) == 0 else { return nil }
        return UInt64(status.f_bavail) * UInt64(status.f_frsize)
    }
}
