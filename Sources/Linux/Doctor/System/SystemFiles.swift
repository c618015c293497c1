/// Read access to the files of a system: this machine's, or another machine's whose card is mounted here.
///
/// Paths are absolute in the examined system. The protocol's own functions do not follow symbolic links; those of the
/// extension do.
public protocol SystemFiles {
    /// The file, folder, link or device at a path; nil if there is none or it cannot be seen. A symbolic link is not
    /// followed.
    func entry(at path: String) -> FileEntry?

    /// The names in a folder; nil if the folder cannot be read.
    func names(in path: String) -> [String]?

    /// The content of a file, at most its first `longestContents` (64 KiB) bytes; nil if the file cannot be read.
    func contents(of path: String) -> [UInt8]?

    /// How many bytes users other than root can still write on a path's file system; nil if that is not known.
    func freeBytes(at path: String) -> UInt64?
}

/// An entry of a folder.
public struct FileEntry: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case file
        case folder
        case link(target: String)
        /// A character device, with its major and minor numbers in one number, as the kernel encodes them.
        case characterDevice(number: UInt64)
        case other
    }

    public var kind: Kind
    /// The twelve permission bits of the file's mode, including set-user-ID, set-group-ID and sticky.
    public var mode: UInt32
    public var owner: UInt32
    public var group: UInt32
    /// The access control list; nil if the mode alone decides who has access.
    public var access: AccessList?
    /// The inode number, unique within its file system; nil if it is not known.
    public var inode: UInt64?

    public init(
        _ kind: Kind, mode: UInt32, owner: UInt32 = 0, group: UInt32 = 0, access: AccessList? = nil,
        inode: UInt64? = nil
    ) {
        self.kind = kind
        self.mode = mode
        self.owner = owner
        self.group = group
        self.access = access
        self.inode = inode
    }
}

extension SystemFiles {
    /// The largest number of bytes that are read from a file: 64 KiB.
    public var longestContents: Int { 65_536 }

    /// The path that remains after following all links, including those of folders; nil if it leads nowhere.
    ///
    /// An absolute link starts at the examined system's root, wherever that system is mounted.
    public func resolved(_ path: String) -> String? {
        var waiting = Array(path.split(separator: "/").map(String.init).reversed())
        var place: [String] = []
        // The kernel follows at most 40 links in a path: path_resolution(7).
        var linksLeft = 40
        while let name = waiting.popLast() {
            if name == "." { continue }
            if name == ".." {
                _ = place.popLast()
                continue
            }
            let here = "/" + (place + [name]).joined(separator: "/")
            guard let entry = entry(at: here) else { return nil }
            guard case .link(let target) = entry.kind else {
                place.append(name)
                continue
            }
            guard linksLeft > 0 else { return nil }
            linksLeft -= 1
            if target.hasPrefix("/") { place = [] }
            waiting += target.split(separator: "/").map(String.init).reversed()
        }
        return "/" + place.joined(separator: "/")
    }

    /// The file, folder or device that a path leads to after following all links.
    public func target(of path: String) -> FileEntry? { resolved(path).flatMap { entry(at: $0) } }

    public func exists(_ path: String) -> Bool { resolved(path) != nil }

    public func text(of path: String) -> String? {
        guard let path = resolved(path), let bytes = contents(of: path) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of a small file of the kernel's, without the zero byte that ends a text in device trees.
    public func value(of path: String) -> String? {
        text(of: path).map { text in String(text.prefix { $0 != "\n" && $0 != "\r\n" && $0 != "\0" }) }
    }

    /// The sorted names in the folder that a path leads to.
    public func list(_ path: String) -> [String] { resolved(path).flatMap { names(in: $0)?.sorted() } ?? [] }
}
