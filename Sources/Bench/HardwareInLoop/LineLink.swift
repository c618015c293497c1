internal import CLinux
internal import Glibc
internal import LocalSocket
internal import Reactor
internal import Units

/// Lines of text both ways over a socket.
///
/// A class, because the reactor's handler and its owner share it.
final class LineLink {
    private let descriptor: Descriptor
    private let reactor: Reactor
    private var assembler = LineAssembler(separators: .newline, limit: 1 << 20)
    private var input = [UInt8](repeating: 0, count: 65_536)
    private var registration: Registration?
    /// Whether the other end is gone.
    private(set) var hasEnded = false

    /// Hands each line that comes to `received`, from the reactor's loop.
    init(
        _ descriptor: consuming Descriptor, reactor: Reactor, received: @escaping (String) -> Void
    ) throws(LoopFailure) {
        self.descriptor = descriptor
        self.reactor = reactor
        do {
            registration = try reactor.register(self.descriptor, for: .read) { [unowned self] _ in
                read(received)
                reactor.stop()
            }
        } catch {
            throw LoopFailure(.board, "\(error)")
        }
    }

    deinit { if let registration { reactor.remove(registration) } }

    /// Connects to a Unix socket that a program is about to open, for so many seconds.
    static func connect(to path: String, within seconds: Double) throws(LoopFailure) -> Descriptor {
        let deadline = Clock.now().advanced(byNanoseconds: Int64(seconds * 1e9))
        while true {
            let result = clinux_unix_socket(true)
            guard result >= 0 else { throw LoopFailure(.board, "socket: \(SystemError.text(of: -result))") }
            let descriptor = Descriptor(adopting: result)
            // Safety: the C string lives for the call.
            let connected = descriptor.withRawValue { unsafe clinux_unix_connect($0, path) }
            guard connected < 0 else { return descriptor }
            guard Clock.now() < deadline else {
                throw LoopFailure(.board, "\(path): \(SystemError.text(of: -connected)); the guest's log says more")
            }
            usleep(20_000)
        }
    }

    func send(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        var sent = 0
        while sent < bytes.count {
            guard case .bytes(let count) = descriptor.write(bytes.span.extracting(sent..<bytes.count)) else {
                hasEnded = true
                return
            }
            sent += count
        }
    }

    private func read(_ received: (String) -> Void) {
        guard case .bytes(let count) = descriptor.read(into: &input) else {
            hasEnded = true
            if let registration { reactor.rest(registration) }
            return
        }
        var lines: [String] = []
        // A copy, for the span must not outlive its array.
        let bytes = input
        assembler.push(bytes.span.extracting(0..<count)) { event, line in
            if event == .line { lines.append(String(decoding: line.indices.map { line[$0] }, as: UTF8.self)) }
        }
        for line in lines { received(line) }
    }
}
