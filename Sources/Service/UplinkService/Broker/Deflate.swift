internal import CZlib

/// Compression in the format of zlib (RFC 1950).
package enum Deflate {
    /// The bytes in compressed form; nil if memory is exhausted.
    package static func zlib(_ bytes: [UInt8]) -> [UInt8]? {
        var count = compressBound(uLong(bytes.count))
        var compressed = [UInt8](repeating: 0, count: Int(count))
        // Safety: zlib reads the given number of bytes, and writes at most as many as the buffer has, which it is told
        // in `count`.
        let code = unsafe compressed.withUnsafeMutableBufferPointer { target in
            unsafe bytes.withUnsafeBufferPointer { source in
                unsafe compress2(
                    target.baseAddress, &count, source.baseAddress, uLong(source.count), Z_BEST_COMPRESSION)
            }
        }
        guard code == Z_OK else { return nil }
        compressed.removeLast(compressed.count - Int(count))
        return compressed
    }
}
