import Glibc
import SextantReactor

/// systemd's end of the notification socket.
final class Inbox {
    let address: String
    fileprivate let number: Int32

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

extension Inbox {
    /// The next datagram, and the number of the descriptor that came along.
    func nextWithDescriptor() -> (text: String?, number: Int32?) {
        var buffer = [UInt8](repeating: 0, count: 512)
        // A header of 16 bytes and a number of 4, with room to the next multiple of 8.
        var control = [UInt8](repeating: 0, count: 24)
        let count = unsafe buffer.withUnsafeMutableBytes { text in
            unsafe control.withUnsafeMutableBytes { control in
                var part = unsafe iovec(iov_base: text.baseAddress, iov_len: text.count)
                return unsafe withUnsafeMutablePointer(to: &part) { part in
                    var message = unsafe msghdr()
                    unsafe message.msg_iov = part
                    unsafe message.msg_iovlen = 1
                    unsafe message.msg_control = control.baseAddress
                    unsafe message.msg_controllen = control.count
                    return unsafe recvmsg(number, &message, 0)
                }
            }
        }
        guard count >= 0 else { return (nil, nil) }
        let passed = (0..<4).reduce(Int32(0)) { $0 | Int32(control[16 + $1]) << (8 * Int32($1)) }
        return (String(decoding: buffer[..<count], as: UTF8.self), control[0] == 0 ? nil : passed)
    }
}

/// Two sockets that are connected with each other.
struct SocketPair: ~Copyable {
    let end: Descriptor
    let otherEnd: Descriptor

    init() throws {
        var numbers: [Int32] = [0, 0]
        let result = unsafe numbers.withUnsafeMutableBufferPointer {
            unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, $0.baseAddress)
        }
        guard result == 0 else { throw SystemError("socketpair", errno: errno) }
        end = Descriptor(adopting: numbers[0])
        otherEnd = Descriptor(adopting: numbers[1])
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
