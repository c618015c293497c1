/// A process of the examined system, as far as the kernel shows it to this process.
public struct ExaminedProcess: Sendable, Equatable {
    var id: Int
    /// The command's name, at most 15 bytes.
    var command: String
    /// The device number of the controlling terminal; nil if the process has none.
    ///
    /// Source: proc(5), `/proc/pid/stat`, field 7.
    var terminal: UInt64?
    /// The paths of the files that the process has open; empty if they were not looked at, or if the process is another
    /// user's and this process is not root's.
    var openPaths: Set<String>

    var description: String { "\(command) (process \(id))" }

    static func all(in files: some SystemFiles, withOpenFiles: Bool) -> [ExaminedProcess] {
        files.list("/proc").compactMap { Int($0) }.sorted().map { ExaminedProcess($0, files, withOpenFiles) }
    }

    private init(_ id: Int, _ files: some SystemFiles, _ withOpenFiles: Bool) {
        self.id = id
        command = files.value(of: "/proc/\(id)/comm") ?? "a process"
        // In `stat` the command's name is in parentheses and can itself contain parentheses and spaces, so the last
        // closing one counts.
        let fields = (files.value(of: "/proc/\(id)/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
        terminal = fields.count > 4 ? UInt64(fields[4]).flatMap { $0 == 0 ? nil : $0 } : nil
        openPaths = []
        guard withOpenFiles else { return }
        let folder = "/proc/\(id)/fd"
        openPaths = Set(
            (files.names(in: folder) ?? []).compactMap { name in
                guard case .link(let target)? = files.entry(at: "\(folder)/\(name)")?.kind else { return nil }
                return target
            })
    }
}
