internal import Glibc

/// Writes a whole file at once.
enum OutputFile {
    static func write(_ bytes: borrowing Span<UInt8>, to path: String) throws(CommandFailure) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw failure(path) }
        var offset = 0
        while offset < bytes.count {
            let count = unsafe bytes.extracting(offset...).withUnsafeBufferPointer { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                let error = failure(path)
                _ = close(descriptor)
                throw error
            }
            offset += count
        }
        guard close(descriptor) == 0 else { throw failure(path) }
    }

    /// Replaces a file in one step, so that a reader has the old one or the new one: writes beside it, then renames.
    static func replace(_ path: String, with bytes: borrowing Span<UInt8>) throws(CommandFailure) {
        // node_exporter reads no file whose name ends otherwise than in .prom.
        let beside = path + ".new"
        try write(bytes, to: beside)
        guard unsafe rename(beside, path) == 0 else {
            let error = failure(path)
            _ = unsafe unlink(beside)
            throw error
        }
    }

    private static func failure(_ path: String) -> CommandFailure {
        .inputOutput(
            "\(path): cannot be written: \(unsafe String(cString: strerror(errno))); name another file")
    }
}
