/// A process, as far as this process may see it.
public struct ProcessFacts: Sendable, Equatable {
    var id: Int
    /// The command's name, at most 15 bytes.
    var command: String
    /// The number of its controlling terminal; nil where it has none.
    ///
    /// Source: proc(5), `/proc/pid/stat`, field 7; the number is that of the device's node.
    var terminal: UInt64?
    /// Where its descriptors lead; none for another user's process, unless root asks.
    var openPaths: Set<String>

    var description: String { "\(command) (process \(id))" }

    static func all(in files: some SystemFiles) -> [ProcessFacts] {
        files.list("/proc").compactMap { Int($0) }.sorted().map { ProcessFacts($0, files) }
    }

    private init(_ id: Int, _ files: some SystemFiles) {
        self.id = id
        command = files.value(of: "/proc/\(id)/comm") ?? "a process"
        // The name, in brackets, may hold blanks and brackets.
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
