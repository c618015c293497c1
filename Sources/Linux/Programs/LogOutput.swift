import Glibc
import Synchronization

/// The output of a log: a descriptor, such as a pipe to the journal, that the program writes to without ever waiting.
///
/// The journal stops reading while its storage card does not answer. A program that waited for room in the pipe would
/// then stop too. Instead, lines for which there is no room are lost, and the next written line tells how many.
public final class LogOutput: Sendable {
    private let descriptor: Int32
    private let lost = Atomic(0)
    /// The largest size of a line in bytes: a pipe with room takes this many at once; longer lines are cut.
    ///
    /// Source: pipe(7), PIPE_BUF.
    private static let maximumBytes = 4096

    /// - Parameter descriptor: A descriptor that stays open as long as the program runs, such as 2 for standard error;
    ///   this object does not close it.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line; if the descriptor has no room for it at once, the line is lost.
    ///
    /// - Parameter prefix: The text before each line; it gives the program's name and the priority.
    public func write(_ message: String, prefix: String) {
        guard hasRoom else {
            lost.add(1, ordering: .relaxed)
            return
        }
        let count = lost.exchange(0, ordering: .relaxed)
        let before = count == 0 ? "" : "\(prefix)log lines that nobody read in time are lost: \(count)\n"
        let bytes = "\(before)\(prefix)\(message)".utf8.prefix(LogOutput.maximumBytes - 1) + [UInt8(ascii: "\n")]
        // Safety: the bytes live for the call. The result is ignored, because there is no other place to log.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    private var hasRoom: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safety: the kernel writes only into this one value, during the call.
        return unsafe poll(&state, 1, 0) != 0
    }
}
