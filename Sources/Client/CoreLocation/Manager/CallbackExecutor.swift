internal import Foundation

/// The place where one manager's callbacks run: the main queue, or the run loop of the thread that made the manager.
///
/// Callbacks of a manager run in order, never two at a time.
final class CallbackExecutor: @unchecked Sendable {
    // `Sendable` is unchecked: `body` is set once, before the first wake; a `Timer` allows any thread to set its fire
    // date and to invalidate it.
    private var body: @Sendable () -> Void = {}
    private var timer: Timer?

    /// Whether the manager's callbacks run on another thread than the one that made it, so that they can come before
    /// its delegate is set.
    let isElsewhere: Bool

    private init(isElsewhere: Bool = false) { self.isElsewhere = isElsewhere }

    /// The executor for the calling thread's run loop; if the thread runs no run loop, prints a warning and returns the
    /// executor for the main queue.
    static func current() -> CallbackExecutor {
        if isMain { return CallbackExecutor() }
        guard Thread.current.isExecuting || RunLoop.current.currentMode != nil else {
            Complaint.print(
                """
                a CLLocationManager was made on a thread that runs no run loop (a dispatch queue's or a Task's), so its \
                delegate is called on the main queue. Make it on the main thread or in a @MainActor function, or on a \
                Thread whose RunLoop runs.
                """)
            return CallbackExecutor(isElsewhere: true)
        }
        let executor = CallbackExecutor()
        executor.addTimer()
        return executor
    }

    /// Whether the caller runs on the main thread or the main queue; after `dispatchMain()` or an async `main`, that
    /// queue runs on any thread.
    private static var isMain: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
    }

    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The interval of the timer that wakes the run loop, so long that in practice the timer fires only when `wake`
    /// makes it due.
    ///
    /// Unit: second; about three years.
    private static let idle: TimeInterval = 100_000_000

    /// Adds a timer to the thread's run loop: it keeps the loop running, and `wake` makes it due, which wakes the loop.
    private func addTimer() {
        let timer = Timer(fire: .distantFuture, interval: Self.idle, repeats: true) { [weak self] _ in self?.fire() }
        RunLoop.current.add(timer, forMode: .common)
        self.timer = timer
    }

    /// Runs the manager's callbacks and ends the current `run(mode:before:)`, as any run loop source except a timer
    /// would.
    ///
    /// A program that calls `run(mode:before:)` to wait for its own callback would otherwise sleep on after the
    /// callback.
    private func fire() {
        body()
        RunLoop.current._stop()
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Makes the executor run its body soon on its run loop or queue, never before this method returns.
    func wake() {
        guard let timer else { return DispatchQueue.main.async(execute: body) }
        timer.fireDate = .distantPast
    }

    func end() {
        timer?.invalidate()
    }
}
