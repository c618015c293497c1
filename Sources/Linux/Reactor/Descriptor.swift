import Glibc

/// The only owner of an open file descriptor.
///
/// The descriptor closes when the value goes out of scope, so no code can leak it or close it twice.
public struct Descriptor: ~Copyable, Sendable {
    private let rawValue: Int32

    /// Takes over a descriptor's number; nothing else is allowed to close the descriptor after that.
    public init(adopting rawValue: Int32) {
        precondition(rawValue >= 0, "not a file descriptor")
        self.rawValue = rawValue
    }

    /// Opens a path with the given flags and always close-on-exec.
    public init(opening path: String, flags: Int32) throws(SystemError) {
        let result = unsafe open(path, flags | O_CLOEXEC)
        guard result >= 0 else { throw SystemError("open \(path)", errno: errno) }
        rawValue = result
    }

    /// Creates a file for writing, with exactly these permissions, whatever the umask; fails with EEXIST if it exists.
    public init(creating path: String, mode: UInt32) throws(SystemError) {
        let result = unsafe open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
        guard result >= 0 else { throw SystemError("create \(path)", errno: errno) }
        rawValue = result
        _ = fchmod(result, mode)
    }

    deinit { _ = close(rawValue) }

    /// Passes the descriptor's number to `body`, for one system call; nothing may use the number after `body` returns.
    public borrowing func withRawValue<Result, Failure: Error>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(rawValue)
    }
}

/// The outcome of one non-blocking read or write.
public enum Transfer: Sendable, Equatable {
    /// The number of bytes that were transferred: at least one, unless the caller's buffer was empty.
    case bytes(Int)
    /// No bytes were transferred, without an error: the caller must wait until the descriptor is ready.
    case wouldBlock
    /// The other end or the device is gone; `errno` is the kernel's error number, 0 for a plain end of stream.
    case disconnected(errno: Int32)
}

extension Descriptor {
    /// Reads once into the front of the caller's buffer, whose size does not change.
    public borrowing func read(into buffer: inout [UInt8]) -> Transfer {
        while true {
            // Safety: the buffer outlives the call, and the kernel writes no more than its count.
            let count = unsafe buffer.withUnsafeMutableBytes { unsafe Glibc.read(rawValue, $0.baseAddress, $0.count) }
            if count > 0 { return .bytes(count) }
            if count == 0 { return buffer.isEmpty ? .bytes(0) : .disconnected(errno: 0) }
            if let failure = Transfer(errno: errno) { return failure }
        }
    }

    /// Writes once, and returns how many bytes the kernel took.
    public borrowing func write(_ bytes: borrowing Span<UInt8>) -> Transfer {
        guard !bytes.isEmpty else { return .bytes(0) }
        while true {
            // Safety: the span outlives the call, and the kernel reads no more than its count.
            let count = unsafe bytes.withUnsafeBufferPointer { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count >= 0 { return count > 0 ? .bytes(count) : .wouldBlock }
            if let failure = Transfer(errno: errno) { return failure }
        }
    }
}

extension Transfer {
    /// Makes the outcome for an error number; nil if the call was interrupted and must be repeated.
    package init?(errno: Int32) {
        switch errno {
        case EINTR: return nil
        case EAGAIN: self = .wouldBlock
        default: self = .disconnected(errno: errno)
        }
    }
}
