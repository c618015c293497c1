internal import HostSleep

/// Finds out whether dpkg or a program that works with dpkg, such as apt, is installing or removing packages.
///
/// Such a program holds fcntl(2) locks on two files that only root can open, so the locks are looked up in the kernel's
/// list of locks. Source: dpkg, `src/main/main.c`, modstatdb_lock(); apt, `apt-pkg/deb/debsystem.cc`.
enum PackageLock {
    private static let paths = ["/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock"]

    static func answer(_ files: some SystemFiles) -> ObstacleReport {
        let inodes = Set(paths.compactMap { files.target(of: $0)?.inode })
        guard !inodes.isEmpty else { return ObstacleReport([], unknown: missing(files)) }
        guard case .bytes(let bytes) = files.read("/proc/locks") else {
            return ObstacleReport([], unknown: [unknown("the kernel's list of locks cannot be read")])
        }
        var found: [HostObstacle] = []
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            guard let lock = KernelLock(line) else {
                return ObstacleReport(found, unknown: [unknown("the kernel's list of locks has an unknown form")])
            }
            // Only inode numbers are compared, because some file systems have one device number in the kernel's list
            // and another in stat(2). If a file on another file system has the same inode number and is locked, the
            // host stays on needlessly.
            guard lock.isHeld, inodes.contains(lock.inode), found.isEmpty else { continue }
            let command = files.value(of: "/proc/\(lock.process)/comm").map { "\($0) (process \(lock.process))" }
            found.append(
                HostObstacle(
                    .packageManager, "\(command ?? "a program") installs or removes packages", "wait for its end"))
        }
        return ObstacleReport(found, unknown: [])
    }

    /// The result if dpkg's lock files cannot be seen: no reason to stay on if dpkg has never run or is not installed;
    /// otherwise the answer is unknown.
    private static func missing(_ files: some SystemFiles) -> [HostObstacle] {
        let folder = "/var/lib/dpkg"
        guard let names = files.namesIfAny(in: folder) else { return [unknown("\(folder) cannot be read")] }
        return names.contains { paths.contains("\(folder)/\($0)") } ? [unknown("dpkg's lock cannot be looked at")] : []
    }

    private static func unknown(_ what: String) -> HostObstacle {
        HostObstacle(
            .unanswered, "\(what), so that nobody knows whether packages are being installed",
            "see sudo lslocks, and report it with its output")
    }
}

/// A line of `/proc/locks`: `1: POSIX  ADVISORY  WRITE 1234 fe:00:16220178 0 EOF`; `->` marks a process that waits.
///
/// Source: proc_locks(5).
private struct KernelLock {
    var isHeld: Bool
    var process: Int
    var inode: UInt64

    init?(_ line: Substring) {
        var fields = line.split(separator: " ")
        isHeld = !fields.contains("->")
        fields.removeAll { $0 == "->" }
        guard fields.count >= 6, let process = Int(fields[4]),
            let inode = fields[5].split(separator: ":").last.flatMap({ UInt64($0) })
        else { return nil }
        self.process = process
        self.inode = inode
    }
}
