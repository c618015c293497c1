internal import Glibc
internal import SextantReactor

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

    private static func failure(_ path: String) -> CommandFailure {
        .inputOutput("\(path): cannot be written: \(SystemError.text(of: errno)); name another file")
    }
}
