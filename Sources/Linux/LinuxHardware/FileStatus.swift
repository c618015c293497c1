import Glibc
import SextantReactor

/// The result of `stat` on a path, with symbolic links followed.
struct FileStatus: Equatable {
    enum Kind: Equatable { case folder, characterDevice, other }

    var kind: Kind
    /// The number of the device that a device node stands for.
    var device: dev_t
    var inode: UInt64
    var mode: UInt32
    var owner: UInt32
    var group: UInt32

    init(path: String) throws(SystemError) {
        var status = stat()
        // Safety: the kernel fills one `stat`, which outlives the call.
        guard unsafe stat(path, &status) == 0 else { throw SystemError("stat \(path)", errno: errno) }
        self.init(status)
    }

    init(_ status: stat) {
        switch status.st_mode & S_IFMT {
        case S_IFDIR: kind = .folder
        case S_IFCHR: kind = .characterDevice
        default: kind = .other
        }
        device = status.st_rdev
        inode = UInt64(status.st_ino)
        mode = status.st_mode & 0o7777
        owner = status.st_uid
        group = status.st_gid
    }

    /// The owning group's name if its members may read and write; nil otherwise.
    var admittedGroupName: String? { mode & 0o060 == 0o060 ? groupName : nil }

    /// The owning group's name, or its number if it has no name.
    private var groupName: String {
        var entry = unsafe Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>? = nil
        var storage = [CChar](repeating: 0, count: 16_384)
        // Safety: the entry's strings point into `storage`, which outlives their use here.
        return unsafe storage.withUnsafeMutableBufferPointer { storage in
            let result = unsafe getgrgid_r(group, &entry, storage.baseAddress, storage.count, &found)
            guard result == 0, unsafe found != nil, let name = unsafe entry.gr_name else { return String(group) }
            return unsafe String(cString: name)
        }
    }
}
