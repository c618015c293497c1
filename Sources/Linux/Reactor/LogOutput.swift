import Glibc
import Synchronization

/// The end of a log: a descriptor that others read, and that the program never waits for.
///
/// The journal does not read while its card does not answer. A program that waited for room would stand still with it,
/// so lines for which there is no room are lost, and the next line that finds room tells how many.
public final class LogOutput: Sendable {
    private let descriptor: Int32
    private let lost = Atomic(0)
    /// The most bytes of a line, whose rest is cut: a pipe that is not full takes them at once.
    ///
    /// Source: pipe(7), PIPE_BUF.
    private static let mostBytes = 4096

    /// - Parameter descriptor: Open as long as the program runs, such as 2 for standard error; not closed here.
    public init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Writes a line, or loses it where there is no room for it now.
    ///
    /// - Parameter prefix: Before the message, and before that of lost lines: who says it, and how urgent it is.
    public func write(_ message: String, prefix: String) {
        guard hasRoom else {
            lost.add(1, ordering: .relaxed)
            return
        }
        let count = lost.exchange(0, ordering: .relaxed)
        let before = count == 0 ? "" : "\(prefix)log lines that nobody read in time are lost: \(count)\n"
        let bytes = "\(before)\(prefix)\(message)".utf8.prefix(LogOutput.mostBytes - 1) + [UInt8(ascii: "\n")]
        // Safety: the bytes live for the call; a line that cannot be written has nowhere else to go.
        _ = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
    }

    private var hasRoom: Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        // Safety: the kernel writes into this one value alone, during the call.
        return unsafe poll(&state, 1, 0) != 0
    }
}
