internal import Glibc
internal import SextantReactor

/// The folder with the daemon's configuration, its clients' manifests, its board and its state.
struct YearFolder: ~Copyable {
    let path: String

    /// Makes a new folder that every client can reach.
    init(clients: [YearClient]) throws {
        var template = Array("/tmp/sextant-year-XXXXXX".utf8CString)
        // Safety: the array ends in a zero and outlives the call, which changes six of its bytes.
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer in
            guard let path = buffer.baseAddress else { return false }
            return unsafe mkdtemp(path) != nil
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard made else { throw YearFailure("no folder can be made in /tmp") }
        _ = unsafe chmod(path, 0o755)
        _ = unsafe mkdir("\(path)/clients.d", 0o755)
        let purpose = "purpose: { whenInUse: 'To be tried.', always: 'To be tried.' }, backgroundMode: true"
        for client in clients { try write("clients.d/\(client.name).json5", "{ user: \(client.user), \(purpose) }") }
        let rules = clients.map { "\($0.name): { authorization: 'always', accuracy: 'full' }" }
        try write("policy.json5", "{ clients: { \(rules.joined(separator: ", ")) } }")
        try write(
            "board.json5",
            """
            { receiver: { model: 'neo-m8n', device: '/dev/virtual', baud: 'auto', supplyVolts: 3.3, draw: 'typical' },
              lines: { powerEnable: { name: 'GPIO-powerEnable', safe: 'inactive' } }, backup: 'battery', host: 'zero-2w' }
            """)
        try write(
            "sextant.json5",
            """
            { device: '/dev/virtual', socket: '\(path)/s', board: '\(path)/board.json5',
              gpsd: { enabled: false }, stateDirectory: '\(path)/state', wakeDirectory: '\(path)',
              clients: { manifests: '\(path)/clients.d', policy: '\(path)/policy.json5' } }
            """)
    }

    deinit { YearFolder.remove(path) }

    /// The total size of all files of the daemon's state, in bytes.
    var stateBytes: Int {
        YearFolder.names(in: "\(path)/state").reduce(0) { sum, name in
            var status = stat()
            // Safety: the kernel writes one status, which outlives the call; the C string lives for the call.
            return unsafe stat("\(path)/state/\(name)", &status) == 0 ? sum + Int(status.st_size) : sum
        }
    }

    /// The names in a folder, without `.` and `..`; empty if it cannot be read.
    static func names(in folder: String) -> [String] { (try? FolderListing.names(in: folder)) ?? [] }

    /// The first 4096 bytes of a file; empty if it cannot be read.
    static func text(of path: String) -> String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let file = unsafe open(path, O_RDONLY)
        defer { close(file) }
        // Safety: the kernel writes at most as many bytes as the array has.
        let count = unsafe bytes.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    private func write(_ name: String, _ text: String) throws {
        let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw YearFailure("\(path)/\(name) cannot be written") }
        defer { close(file) }
        var text = text + "\n"
        let written = text.withUTF8 { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        guard written > 0 else { throw YearFailure("\(path)/\(name) cannot be written") }
    }

    private static func remove(_ folder: String) {
        for name in names(in: folder) where unsafe unlink("\(folder)/\(name)") != 0 { remove("\(folder)/\(name)") }
        _ = unsafe rmdir(folder)
    }
}

/// The kernel's figures about a process.
struct ProcessFigures {
    /// The resident memory in KiB, and the number of open descriptors.
    let residentKibibytes: Int
    let descriptors: Int

    init(of process: Int32) {
        descriptors = YearFolder.names(in: "/proc/\(process)/fd").count
        let fields = YearFolder.text(of: "/proc/\(process)/statm").split(separator: " ")
        let pages = fields.count > 1 ? Int(fields[1]) ?? 0 : 0
        residentKibibytes = pages * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }
}
