import CSextantLinux

/// Starts worker threads, for calls that can block.
public enum Thread {
    /// Starts a detached thread with all signals blocked, so that the reactor gets them; 15 bytes of the name are kept.
    public static func start(_ name: String, _ body: sending @escaping () -> Void) throws(SystemError) {
        // Safety: the box is retained for the new thread, which releases it; if no thread starts, it is released here.
        let box = unsafe Unmanaged.passRetained(Box(body))
        let result = unsafe clinux_thread_start(name, { unsafe Thread.run($0) }, box.toOpaque())
        guard result < 0 else { return }
        unsafe box.release()
        throw SystemError("pthread_create", errno: -result)
    }

    private final class Box {
        let body: () -> Void

        init(_ body: @escaping () -> Void) { self.body = body }
    }

    private static func run(_ context: UnsafeMutableRawPointer?) {
        guard let context = unsafe context else { return }
        // Safety: `start` retained exactly one Box for this thread.
        unsafe Unmanaged<Box>.fromOpaque(context).takeRetainedValue().body()
    }
}
