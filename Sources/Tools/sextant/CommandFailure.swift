internal import Glibc

/// A failure the user can act on: one line, and an exit status of sysexits(3).
struct CommandFailure: Error {
    var message: String
    var status: Int32

    static func data(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 65) }
    static func unavailable(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 69) }
    static func inputOutput(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 74) }

    /// Prints the line on standard error.
    func report() { StandardError.write("sextant: \(message)") }
}

/// Standard error, a line at a time.
enum StandardError {
    static func write(_ line: String) {
        var text = line + "\n"
        text.withUTF8 { bytes in
            // Safety: the bytes live until the call returns; what cannot be written is lost, there is no third place.
            _ = unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
        }
    }
}
