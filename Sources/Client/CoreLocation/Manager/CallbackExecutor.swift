internal import Foundation

/// Why a manager could not be made here.
enum ExecutorError: Error, CustomStringConvertible {
    case noRunLoop

    var description: String {
        """
        CLLocationManager was made on a thread that runs no run loop (a dispatch queue's or a Task's), so its delegate \
        could never be called. Make it on the main thread or in a @MainActor function, or on a Thread whose RunLoop runs.
        """
    }
}

/// Where one manager's callbacks run: the main queue, or the run loop of the thread that made the manager.
///
/// Callbacks of a manager run in order, never two at a time.
final class CallbackExecutor: @unchecked Sendable {
    // Unchecked: `body` is set once, before the first wake; a Timer's fire date and validity may be set from any thread.
    private var body: @Sendable () -> Void = {}
    private var timer: Timer?

    private init() {}

    /// The executor of this thread.
    static func current() throws(ExecutorError) -> CallbackExecutor {
        if isMain { return CallbackExecutor() }
        guard Thread.current.isExecuting || RunLoop.current.currentMode != nil else { throw .noRunLoop }
        let executor = CallbackExecutor()
        executor.addTimer()
        return executor
    }

    /// The main queue may run on any thread, once the main thread has ended in `dispatchMain()` or an async `main`.
    private static var isMain: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
    }

    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Unit: second; about three years.
    private static let idle: TimeInterval = 100_000_000

    /// A run loop sleeps until a timer is due, and ends when it has none: this one keeps it, and is due when woken.
    private func addTimer() {
        let timer = Timer(fire: .distantFuture, interval: Self.idle, repeats: true) { [weak self] _ in self?.fire() }
        RunLoop.current.add(timer, forMode: .common)
        self.timer = timer
    }

    /// As a run loop does after any other source, `run(mode:before:)` returns: for a timer alone it would go on to sleep,
    /// and a program that waits for its own callback would wait for ever.
    private func fire() {
        body()
        RunLoop.current._stop()
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Has the body run soon, on the executor, and never before this returns.
    func wake() {
        guard let timer else { return DispatchQueue.main.async(execute: body) }
        timer.fireDate = .distantPast
    }

    func end() {
        timer?.invalidate()
    }
}
