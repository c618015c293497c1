import Glibc

/// systemd's end of the notification socket.
final class Inbox {
    let address: String
    private let number: Int32

    /// - Parameter address: A path, or "@" and a name in the abstract name space.
    init(_ address: String = "/tmp/sextant-notify-\(getpid())-\(UInt32.random(in: .min ... .max))") {
        self.address = address
        number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | O_NONBLOCK, 0)
        precondition(TestSocket.bind(number, to: address) == 0)
    }

    deinit {
        close(number)
        _ = unsafe unlink(address)
    }

    /// The next datagram; nil where none waits.
    func next() -> String? {
        var buffer = [UInt8](repeating: 0, count: 512)
        let count = unsafe buffer.withUnsafeMutableBytes { unsafe recv(number, $0.baseAddress, $0.count, 0) }
        return count < 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
    }
}

enum TestSocket {
    /// Binds to a path, or to a name in the abstract name space after "@".
    static func bind(_ number: Int32, to name: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        let isAbstract = bytes.first == UInt8(ascii: "@")
        if isAbstract { bytes[0] = 0 }
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let size = isAbstract ? 2 + bytes.count : MemoryLayout<sockaddr_un>.size
        return unsafe withUnsafePointer(to: &address) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.bind(number, $0, socklen_t(size))
            }
        }
    }
}
