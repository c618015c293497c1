import Glibc
import SextantReactor
import SextantUnits

/// A kernel pipe, non-blocking at both ends.
final class Pipe {
    var reader: Descriptor?
    var writer: Descriptor?

    init() {
        var ends: [Int32] = [0, 0]
        precondition(unsafe pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        reader = Descriptor(adopting: ends[0])
        writer = Descriptor(adopting: ends[1])
    }

    func write(_ text: String) {
        _ = writer?.write(Array(text.utf8).span)
    }

    func read() -> String? {
        var buffer = [UInt8](repeating: 0, count: 64)
        guard case .bytes(let count) = reader?.read(into: &buffer) else { return nil }
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    func register(
        with reactor: Reactor, for interest: Interest = .read, handler: @escaping (Readiness) -> Void
    ) throws -> Registration {
        guard let registration = try reader?.register(with: reactor, for: interest, handler: handler) else {
            throw SystemError("pipe", errno: EBADF)
        }
        return registration
    }
}

extension Descriptor {
    borrowing func register(
        with reactor: Reactor, for interest: Interest, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Registration {
        try reactor.register(self, for: interest, handler: handler)
    }
}
