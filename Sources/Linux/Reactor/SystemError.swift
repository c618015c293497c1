import CSextantLinux

/// A failed system call, and the kernel's error number.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The call that failed, named as in the manual: "epoll_ctl", "open /dev/ttyAMA0".
    public var call: String
    public var errno: Int32

    public init(_ call: String, errno: Int32) {
        self.call = call
        self.errno = errno
    }

    public var description: String { "\(call): \(SystemError.text(of: errno))" }

    /// The kernel's text for an errno.
    public static func text(of errno: Int32) -> String {
        // Safety: the C function returns a constant, zero-terminated string and never NULL.
        unsafe String(cString: clinux_error_text(errno))
    }

    /// Returns a system call's result if it is not negative; throws if it is a negative errno.
    package static func check(_ result: Int32, _ call: @autoclosure () -> String) throws(SystemError) -> Int32 {
        guard result >= 0 else { throw SystemError(call(), errno: -result) }
        return result
    }
}
