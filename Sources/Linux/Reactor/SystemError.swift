import CLinux

/// A system call that failed, and the kernel's reason.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was being done, in the manual's word for it: "epoll_ctl", "open /dev/ttyAMA0".
    public var call: String
    public var errno: Int32

    public init(_ call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    public var description: String { "\(call): \(SystemError.text(of: errno))" }

    /// The kernel's words for an errno.
    public static func text(of errno: Int32) -> String {
        // Safety: the C function returns a constant, zero-terminated string and never NULL.
        unsafe String(cString: clinux_error_text(errno))
    }

    /// Passes a result through, or throws the negative errno it stands for.
    package static func check(_ result: Int32, _ call: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(call(), errno: -result) }
        return result
    }
}
