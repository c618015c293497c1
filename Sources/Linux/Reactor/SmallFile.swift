import Glibc

/// A file that is short enough to be read at once.
package enum SmallFile {
    /// The bytes of a file, at most the first `limit`.
    package static func read(_ path: String, upTo limit: Int) throws(SystemError) -> [UInt8] {
        try Descriptor(opening: path, flags: O_RDONLY).readAll(upTo: limit)
    }
}

extension Descriptor {
    /// Reads from the current position to the end of the file, at most `limit` bytes.
    package borrowing func readAll(upTo limit: Int) throws(SystemError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(limit, 16_384))
        while bytes.count < limit {
            switch read(into: &piece) {
            case .bytes(let count): bytes += piece[..<min(count, limit - bytes.count)]
            case .disconnected(errno: 0): return bytes
            case .disconnected(let errno): throw SystemError("read", errno: errno)
            case .wouldBlock: throw SystemError("read", errno: EAGAIN)
            }
        }
        return bytes
    }
}
