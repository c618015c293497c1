import Foundation
import Glibc

/// A client's end of a socket, with no part in common with the product's own.
final class Wire {
    private let descriptor: Int32
    private var unread: [UInt8] = []
    private(set) var isClosed = false

    /// Connects to a Unix socket.
    init(socket path: String) throws {
        descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // Safety: the path is shorter than the field, which outlives the call.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try prepare(result)
    }

    /// Connects to a port on loopback.
    ///
    /// - Parameter receiveBuffer: Bytes that the kernel keeps for this end; nil for what it likes.
    init(port: UInt16, receiveBuffer: Int32? = nil) throws {
        descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        if var receiveBuffer {
            _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &receiveBuffer, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let result = unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        try prepare(result)
    }

    private func prepare(_ result: Int32) throws {
        guard result == 0 else { throw Late(description: "cannot connect: \(unsafe String(cString: strerror(errno)))") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    func send(_ text: String) throws {
        let bytes = Array(text.utf8)
        let count = unsafe Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        guard count == bytes.count else { throw Late(description: "sent \(count) of \(bytes.count) bytes") }
    }

    /// Sends what the socket's buffer may have no room for at once: the rest follows as the other end reads.
    func sendAll(_ text: String) async throws {
        var rest = Array(text.utf8)[...]
        try await eventually("room in the socket", every: .milliseconds(1)) {
            let count = unsafe rest.withUnsafeBytes { bytes in
                unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
            }
            guard count >= 0 || errno == EAGAIN else {
                throw Late(description: "cannot send: \(unsafe String(cString: strerror(errno)))")
            }
            rest.removeFirst(max(0, count))
            return rest.isEmpty ? () : nil
        }
    }

    /// Takes what has come.
    private func receive() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isClosed {
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 {
                unread += buffer[..<count]
            } else {
                isClosed = count == 0 || errno != EAGAIN
                return
            }
        }
    }

    private func takeLine() -> String? {
        guard let end = unread.firstIndex(of: 0x0A) else { return nil }
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self).trimmingCharacters(in: ["\r"])
    }

    /// The next line without its end.
    func line(within seconds: Double = Patience.seconds) async throws -> String {
        let seen = { "so far: \(String(decoding: self.unread, as: UTF8.self))" }
        return try await eventually("a line", within: seconds, seen: seen) {
            if let line = takeLine() { return line }
            receive()
            if let line = takeLine() { return line }
            if isClosed { throw Late(description: "the connection was closed") }
            return nil
        }
    }

    /// The next object that fits; others are skipped.
    func object(where fits: (JSON) -> Bool = { _ in true }) async throws -> JSON {
        var skipped: [String] = []
        return try await eventually("an object", seen: { skipped.suffix(20).joined(separator: "\n") }, every: .zero) {
            let line = try await line()
            if let object = JSON(line: line), fits(object) { return object }
            skipped.append(String(line.prefix(200)))
            return nil
        }
    }

    /// Waits until the other end closes; what comes before is thrown away.
    func closed() async throws {
        try await eventually("the connection's end") {
            receive()
            unread = []
            return isClosed ? () : nil
        }
    }
}
