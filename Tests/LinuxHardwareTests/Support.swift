import Glibc
import LinuxHardware
import SextantReactor
import TestSupport

extension TemporaryFolder {
    /// Makes an empty file and returns its path.
    func file(_ name: String) throws -> String {
        _ = try Descriptor(opening: "\(path)/\(name)", flags: O_WRONLY | O_CREAT)
        return "\(path)/\(name)"
    }
}

extension Descriptor {
    borrowing func register(
        with reactor: Reactor, handler: @escaping (Readiness) -> Void
    ) throws(SystemError) -> Registration {
        try reactor.register(self, for: .read, handler: handler)
    }
}

/// Reads until this many bytes have come, waiting in a reactor.
func receive(_ count: Int, from read: @escaping (inout [UInt8]) -> Transfer, on descriptor: borrowing Descriptor)
    throws -> [UInt8]
{
    let reactor = try Reactor()
    var buffer = [UInt8](repeating: 0, count: 4096)
    var received: [UInt8] = []
    let registration = try descriptor.register(with: reactor) { _ in
        guard case .bytes(let count) = read(&buffer) else { return reactor.stop() }
        received += buffer[..<count]
        if received.count >= count { reactor.stop() }
    }
    try reactor.run(until: "\(count) bytes")
    reactor.remove(registration)
    return received
}
