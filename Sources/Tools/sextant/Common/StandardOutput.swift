internal import Glibc
internal import Programs
internal import SextantJSON

/// Standard output; a write either writes all bytes or throws.
enum StandardOutput {
    static func write(_ bytes: borrowing Span<UInt8>) throws(CommandFailure) {
        var offset = 0
        while offset < bytes.count {
            let rest = bytes.extracting(offset...)
            let result = unsafe rest.withUnsafeBufferPointer { buffer in
                unsafe Glibc.write(1, buffer.baseAddress, buffer.count)
            }
            if result < 0, errno == EINTR { continue }
            // EPIPE: the program that read this pipe has ended, so nobody needs the rest of the output.
            if result < 0, errno == EPIPE { exit(0) }
            guard result >= 0 else { throw .output(errno) }
            offset += result
        }
    }

    /// Writes the text in the buffer, and empties the buffer.
    static func write(_ text: inout TextBuffer) throws(CommandFailure) {
        try text.withBytes { bytes throws(CommandFailure) in try write(bytes) }
        text.removeAll()
    }

    /// Writes a line.
    static func write(_ bytes: [UInt8]) throws(CommandFailure) {
        try write((bytes + [0x0A]).span)
    }

    /// Writes a line for the user, without the control characters that could steer a terminal.
    static func write(line: String) throws(CommandFailure) { try write(Array(line.printable.utf8)) }
}
