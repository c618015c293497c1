internal import Glibc
internal import SextantReactor

/// A file or standard input, read in pieces into one buffer.
struct InputFile: ~Copyable {
    let name: String
    private let descriptor: Int32
    private let isOwned: Bool
    private(set) var buffer = [UInt8](repeating: 0, count: 262_144)
    /// The number of bytes that the last call of `read` put into the buffer.
    private(set) var count = 0

    init(_ name: String) throws(CommandFailure) {
        self.name = name == "-" ? "standard input" : name
        isOwned = name != "-"
        guard isOwned else {
            descriptor = 0
            return
        }
        descriptor = unsafe open(name, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw InputFile.failure(name, errno) }
        var status = stat()
        if unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            _ = close(descriptor)
            throw .inputOutput("\(name): is a directory; name the recordings in it: \(name)/*")
        }
    }

    deinit { if isOwned { _ = close(descriptor) } }

    private static func failure(_ name: String, _ code: Int32) -> CommandFailure {
        switch code {
        case ENOENT, ENOTDIR: .inputOutput("\(name): no such file; check the path")
        case EACCES: .inputOutput("\(name): permission denied; make it readable, or run as its owner")
        default: .inputOutput("\(name): \(SystemError.text(of: code))")
        }
    }

    /// Reads the next piece into the buffer; returns false at the end of the file.
    mutating func read() throws(CommandFailure) -> Bool {
        while true {
            let descriptor = descriptor
            let result = unsafe buffer.withUnsafeMutableBytes { target in
                unsafe Glibc.read(descriptor, target.baseAddress, target.count)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw .inputOutput("\(name): reading failed: \(SystemError.text(of: errno))") }
            count = result
            return result > 0
        }
    }

    /// Reads a whole file, of at most 1 GiB.
    static func contents(of name: String) throws(CommandFailure) -> [UInt8] {
        var file = try InputFile(name)
        var bytes: [UInt8] = []
        while try file.read() {
            bytes.append(contentsOf: file.buffer[..<file.count])
            guard bytes.count <= 1 << 30 else { throw .data("\(file.name): larger than 1 GiB") }
        }
        return bytes
    }

    /// Reads and parses a whole file; a parse error is reported with the file's name.
    static func parsed<Value, Problem: Error>(
        _ name: String, _ parse: ([UInt8]) throws(Problem) -> Value
    ) throws(CommandFailure) -> Value {
        let bytes = try contents(of: name)
        do throws(Problem) {
            return try parse(bytes)
        } catch {
            throw .data("\(name): \(error)")
        }
    }
}
