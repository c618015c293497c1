import Doctor

/// A system's files in memory, links, owners and modes included.
struct SystemTree: SystemFiles {
    private struct Node {
        var entry: FileEntry
        var bytes: [UInt8] = []
    }

    private var nodes: [String: Node] = [:]
    /// The paths that may be seen and not read.
    private var closed: Set<String> = []
    /// The paths that are listed in their folders, and have gone when they are looked at.
    private var gone: Set<String> = []
    var free: UInt64? = 8 << 30

    func entry(at path: String) -> FileEntry? {
        if gone.contains(path) { return nil }
        if let node = nodes[path] { return node.entry }
        let prefix = path == "/" ? "/" : path + "/"
        return nodes.keys.contains { $0.hasPrefix(prefix) } ? FileEntry(.folder, mode: 0o755) : nil
    }

    func names(in path: String) -> [String]? {
        guard entry(at: path)?.kind == .folder, !closed.contains(path) else { return nil }
        let prefix = path == "/" ? "/" : path + "/"
        return Array(
            Set(
                nodes.keys.filter { $0.hasPrefix(prefix) }
                    .map { String($0.dropFirst(prefix.count).prefix { $0 != "/" }) }))
    }

    func contents(of path: String) -> [UInt8]? {
        guard !closed.contains(path), !gone.contains(path), let node = nodes[path], node.entry.kind == .file else {
            return nil
        }
        return Array(node.bytes.prefix(longestContents))
    }

    func freeBytes(at path: String) -> UInt64? { free }

    // MARK: Making

    /// A file's text; nil takes it away.
    subscript(path: String) -> String? {
        get { contents(of: path).map { String(decoding: $0, as: UTF8.self) } }
        set {
            nodes[path] = newValue.map { Node(entry: FileEntry(.file, mode: 0o644), bytes: Array($0.utf8)) }
        }
    }

    mutating func link(_ path: String, to target: String) {
        nodes[path] = Node(entry: FileEntry(.link(target: target), mode: 0o777))
    }

    mutating func device(_ path: String, _ major: UInt64, _ minor: UInt64, group: UInt32, mode: UInt32 = 0o660) {
        let entry = FileEntry(.characterDevice(number: major << 8 | minor), mode: mode, group: group)
        nodes[path] = Node(entry: entry)
    }

    /// Gives a user or a group access besides the mode, as `setfacl -m u:ID:rw-` does.
    mutating func grant(_ path: String, user: UInt32? = nil, group: UInt32? = nil) {
        var entries: [(UInt8, UInt8, UInt32)] = [(0x01, 6, .max)]
        if let user { entries.append((0x02, 6, user)) }
        entries.append((0x04, 6, .max))
        if let group { entries.append((0x08, 6, group)) }
        entries += [(0x10, 6, .max), (0x20, 0, .max)]
        var bytes: [UInt8] = [2, 0, 0, 0]
        for (tag, permissions, id) in entries {
            bytes += [tag, 0, permissions, 0] + (0..<4).map { UInt8(truncatingIfNeeded: id >> (8 * UInt32($0))) }
        }
        nodes[path]?.entry.access = AccessList(attribute: bytes)
    }

    mutating func folder(_ path: String, owner: UInt32, mode: UInt32) {
        nodes[path] = Node(entry: FileEntry(.folder, mode: mode, owner: owner, group: owner))
    }

    mutating func give(_ path: String, to owner: UInt32, mode: UInt32) {
        nodes[path]?.entry.owner = owner
        nodes[path]?.entry.mode = mode
    }

    /// Forbids to read a file or a folder.
    mutating func close(_ path: String) { closed.insert(path) }

    /// Takes a file away between its listing and its reading.
    mutating func vanish(_ path: String) { gone.insert(path) }

    /// Adds a file as the kernel numbers it.
    mutating func number(_ path: String, _ inode: UInt64) {
        nodes[path] = Node(entry: FileEntry(.file, mode: 0o640, inode: inode))
    }

    mutating func put(_ bytes: [UInt8], at path: String) {
        nodes[path] = Node(entry: FileEntry(.file, mode: 0o600, owner: 995), bytes: bytes)
    }

    /// Takes a name away, and all below it.
    mutating func remove(_ path: String) {
        nodes = nodes.filter { $0.key != path && !$0.key.hasPrefix(path + "/") }
    }

    mutating func replace(_ old: String, with new: String, in path: String) {
        precondition(self[path]?.contains(old) ?? false, "\(path) has no \(old)")
        self[path] = self[path].map { text in
            text.split(separator: "\n", omittingEmptySubsequences: false).map { $0 == old ? new : String($0) }
                .joined(separator: "\n")
        }
    }
}

/// A system's files, with the paths that were asked for; a class, because looking changes it.
final class WatchedFiles: SystemFiles {
    private let tree: SystemTree
    private(set) var asked: Set<String> = []

    init(_ tree: SystemTree) { self.tree = tree }

    func entry(at path: String) -> FileEntry? {
        asked.insert(path)
        return tree.entry(at: path)
    }

    func names(in path: String) -> [String]? {
        asked.insert(path)
        return tree.names(in: path)
    }

    func contents(of path: String) -> [UInt8]? {
        asked.insert(path)
        return tree.contents(of: path)
    }

    func freeBytes(at path: String) -> UInt64? { tree.freeBytes(at: path) }
}
