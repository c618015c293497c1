import CSextantLinux
import Glibc
public import SextantReactor
public import SextantUnits

/// The client's end of the daemon's Unix socket, with blocking calls, for programs that do one thing at a time.
public struct LocalClient: ~Copyable {
    /// The socket's descriptor, for programs that wait on several descriptors.
    public let descriptor: Descriptor
    private var assembler: LineAssembler
    private var lines: [[UInt8]]
    private var next = 0
    private var input: [UInt8]

    public init(
        path: String, separators: LineSeparators = .newline, lineLimit: Int = 1 << 20
    ) throws(LocalSocketError) {
        descriptor = try Descriptor.connected(toUnixSocket: path, isBlocking: true)
        assembler = LineAssembler(separators: separators, limit: lineLimit)
        // These members are set after the call that can throw: Swift 6.2 destroys members twice if they are set before
        // such a call throws.
        lines = []
        input = [UInt8](repeating: 0, count: 16_384)
    }

    /// Sends all bytes; waits if the daemon reads slowly.
    public func send(_ bytes: [UInt8]) throws(LocalSocketError) {
        var sent = 0
        while sent < bytes.count {
            switch descriptor.send(bytes.span.extracting(sent..<bytes.count)) {
            case .bytes(let count): sent += count
            case .wouldBlock: continue
            case .disconnected(EPIPE), .disconnected(ECONNRESET): throw .ended
            case .disconnected(let errno): throw .other(what: "send", errno: errno)
            }
        }
    }

    /// Reads the daemon's next line, without its separator; nil when the daemon has closed the connection.
    ///
    /// Lines longer than the limit are skipped.
    ///
    /// - Parameter deadline: The instant until which the call waits; nil to wait without limit.
    public mutating func readLine(deadline: MonotonicInstant? = nil) throws(LocalSocketError) -> [UInt8]? {
        while next == lines.count {
            lines.removeAll(keepingCapacity: true)
            next = 0
            try wait(until: deadline)
            guard try receive() else { return nil }
        }
        next += 1
        return lines[next - 1]
    }

    private func wait(until deadline: MonotonicInstant?) throws(LocalSocketError) {
        guard let deadline else { return }
        while true {
            let left = deadline.nanoseconds(since: Clock.now())
            let milliseconds = Int32(clamping: max(0, (left + 999_999) / 1_000_000))
            switch descriptor.withRawValue({ clinux_wait_readable($0, milliseconds) }) {
            case 1...: return
            case 0: throw .timedOut
            case -EINTR: continue
            case let result: throw .other(what: "poll", errno: -result)
            }
        }
    }

    private mutating func receive() throws(LocalSocketError) -> Bool {
        switch descriptor.read(into: &input) {
        case .bytes(let count):
            var arrived: [[UInt8]] = []
            let bytes = input
            assembler.push(bytes.span.extracting(0..<count)) { event, line in
                if event == .line { arrived.append(line.indices.map { line[$0] }) }
            }
            lines += arrived
            return true
        case .disconnected(0), .disconnected(ECONNRESET): return false
        case .disconnected(let errno): throw .other(what: "read", errno: errno)
        case .wouldBlock: return true
        }
    }
}

extension Descriptor {
    /// Connects to a Unix socket.
    ///
    /// - Parameter isBlocking: Whether later reads and writes block; connecting itself never waits.
    package static func connected(
        toUnixSocket path: String, isBlocking: Bool
    ) throws(LocalSocketError) -> Descriptor {
        let result = clinux_unix_socket(isBlocking)
        guard result >= 0 else { throw .other(what: path, errno: -result) }
        let descriptor = Descriptor(adopting: result)
        // Safety: the C string lives for the call.
        let connected = descriptor.withRawValue { unsafe clinux_unix_connect($0, path) }
        switch -connected {
        case ...0: return descriptor
        case ENOENT, ECONNREFUSED, ENOTDIR: throw .noDaemon(path: path)
        case EACCES: throw .permissionDenied(path: path)
        case ENAMETOOLONG: throw .pathTooLong(path: path)
        default: throw .other(what: path, errno: -connected)
        }
    }
}
