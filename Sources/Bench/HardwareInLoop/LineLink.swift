internal import Glibc
internal import SextantReactor
internal import SextantSockets

/// Exchanges lines of text over a socket in both directions.
///
/// A class, because the owner of the link and the reactor's handler for the socket share it.
final class LineLink {
    private let descriptor: Descriptor
    private let reactor: Reactor
    private var assembler = LineAssembler(separators: .newline, limit: 1 << 20)
    private var input = [UInt8](repeating: 0, count: 65_536)
    private var registration: Registration?
    /// Whether the other end of the socket has closed.
    private(set) var hasEnded = false

    /// - Parameter received: Called from the reactor's loop with each line of text that arrives.
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
        // The input is copied, because the array from which a span is taken must live at least as long as the span.
        let bytes = input
        assembler.push(bytes.span.extracting(0..<count)) { event, line in
            if event == .line { lines.append(String(decoding: line.indices.map { line[$0] }, as: UTF8.self)) }
        }
        for line in lines { received(line) }
    }
}

/// Two connected sockets; `far` is passed to a program that is about to be started, and `near` stays with the bench.
struct SocketPair: ~Copyable {
    let near: Descriptor
    let far: Descriptor

    init() throws(LoopFailure) {
        var ends: [Int32] = [-1, -1]
        // Safety: the kernel writes the two numbers, which outlive the call.
        guard unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw LoopFailure(.board, "socketpair: \(SystemError.text(of: errno))")
        }
        near = Descriptor(adopting: ends[0])
        far = Descriptor(adopting: ends[1])
    }
}
