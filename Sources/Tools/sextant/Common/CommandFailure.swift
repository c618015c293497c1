internal import Glibc
internal import Programs
internal import SextantReactor

/// A failure that the user can act on: one line, and an exit status of sysexits(3).
struct CommandFailure: Error {
    var message: String
    var status: Int32
    /// Whether the failure is a failed write to standard output, after which the command cannot go on.
    var isOfOutput = false

    static func data(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 65) }
    static func unavailable(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 69) }
    /// A failure that can be temporary: the same command can succeed later.
    static func later(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 75) }
    /// A failure because this command, or the user who runs it, lacks the permission.
    static func refused(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 77) }
    static func inputOutput(_ message: String) -> CommandFailure { CommandFailure(message: message, status: 74) }

    static func output(_ code: Int32) -> CommandFailure {
        let mend =
            switch code {
            case ENOSPC, EDQUOT: "; make room, or write elsewhere"
            case EBADF: "; it is closed"
            default: ""
            }
        return CommandFailure(
            message: "standard output: \(SystemError.text(of: code))\(mend)", status: 74, isOfOutput: true)
    }

    /// Prints the line on standard error.
    func report() { StandardError.write("sextant: \(message)") }
}

/// Standard error, written one line at a time.
enum StandardError {
    static func write(_ line: String) {
        var text = line.printable + "\n"
        text.withUTF8 { bytes in
            // Safety: the bytes live until the call returns. A failed write is ignored, because there is nowhere else
            // to report it.
            _ = unsafe Glibc.write(2, bytes.baseAddress, bytes.count)
        }
    }
}
