/// A process, as far as the examining process may see it.
public struct ProcessFacts: Sendable, Equatable {
    var id: Int
    /// The command's name, at most 15 bytes.
    var command: String
    /// The device number of the controlling terminal; nil where the process has none.
    ///
    /// Source: proc(5), `/proc/pid/stat`, field 7.
    var terminal: UInt64?
    /// The paths that the open descriptors lead to; for another user's process empty without root's rights.
    var openPaths: Set<String>

    var description: String { "\(command) (process \(id))" }

    static func all(in files: some SystemFiles) -> [ProcessFacts] {
        files.list("/proc").compactMap { Int($0) }.sorted().map { ProcessFacts($0, files) }
    }

    private init(_ id: Int, _ files: some SystemFiles) {
        self.id = id
        command = files.value(of: "/proc/\(id)/comm") ?? "a process"
        // The name is in brackets, and may itself contain blanks and brackets.
        let fields = (files.value(of: "/proc/\(id)/stat") ?? "").split(separator: ")").last?.split(separator: " ") ?? []
        terminal = fields.count > 4 ? UInt64(fields[4]).flatMap { $0 == 0 ? nil : $0 } : nil
        let folder = "/proc/\(id)/fd"
        openPaths = Set(
            files.names(in: folder).compactMap { name in
                guard case .link(let target)? = files.entry(at: "\(folder)/\(name)")?.kind else { return nil }
                return target
            })
    }
}
