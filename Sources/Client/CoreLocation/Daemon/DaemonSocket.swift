internal import CLinux
internal import Glibc

/// The client's end of the daemon's socket; it never blocks, and closes when it goes out of scope.
struct DaemonSocket: ~Copyable {
    let descriptor: Int32

    /// Connects to the daemon; nil where no daemon listens at the path, or its queue of connections is full.
    init?(path: String) {
        let created = clinux_unix_socket(false)
        guard created >= 0 else { return nil }
        // Safety: the C string lives for the call.
        guard unsafe clinux_unix_connect(created, path) >= 0 else {
            close(created)
            return nil
        }
        descriptor = created
    }

    deinit {
        close(descriptor)
    }

    /// Reads what has come and returns the number of bytes: 0 if there are none now, nil if the daemon has gone.
    borrowing func read(into buffer: inout [UInt8]) -> Int? {
        // Safety: the buffer lives for the call, which is told its size.
        let result = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
        if result > 0 { return result }
        return result < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : nil
    }

    /// Sends bytes and returns how many of them the kernel took; nil if the daemon has gone.
    borrowing func send(_ bytes: ArraySlice<UInt8>) -> Int? {
        // Safety: the bytes live for the call, which is told their number.
        let result = unsafe bytes.withUnsafeBytes { unsafe clinux_send(descriptor, $0.baseAddress, $0.count) }
        if result >= 0 { return result }
        return result == -Int(EAGAIN) || result == -Int(EINTR) ? 0 : nil
    }
}
