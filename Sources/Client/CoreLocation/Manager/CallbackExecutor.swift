internal import Foundation

/// The place where one manager's callbacks run: the main queue, or the run loop of the thread that made the manager.
///
/// Callbacks of a manager run in order, never two at a time.
final class CallbackExecutor: @unchecked Sendable {
    // Unchecked: `body` is set once, before the first wake; any thread can set a Timer's fire date and validity.
    private var body: @Sendable () -> Void = {}
    private var timer: Timer?

    /// Whether callbacks run on another thread than the manager's, so that they can come before it has a delegate.
    let isElsewhere: Bool

    private init(isElsewhere: Bool = false) { self.isElsewhere = isElsewhere }

    /// The executor of this thread; the main queue, with a warning, on a thread that runs no run loop.
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

    /// Whether this is the main thread or the main queue, which runs on any thread after `dispatchMain()` or async
    /// `main`.
    private static var isMain: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainKey) == true
    }

    private static let mainKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The interval of the timer, so long that in practice only `wake` makes the timer fire.
    ///
    /// Unit: second; about three years.
    private static let idle: TimeInterval = 100_000_000

    /// Adds a timer that keeps the run loop running; `wake` makes the timer due, which wakes the loop.
    private func addTimer() {
        let timer = Timer(fire: .distantFuture, interval: Self.idle, repeats: true) { [weak self] _ in self?.fire() }
        RunLoop.current.add(timer, forMode: .common)
        self.timer = timer
    }

    /// Runs the body and makes `run(mode:before:)` return, as every run loop source other than a timer does.
    ///
    /// Otherwise the run loop would go on sleeping, and a program that waits for its own callback would never wake.
    private func fire() {
        body()
        RunLoop.current._stop()
    }

    func start(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }

    /// Runs the body soon, on the executor, and never before this method returns.
    func wake() {
        guard let timer else { return DispatchQueue.main.async(execute: body) }
        timer.fireDate = .distantPast
    }

    func end() {
        timer?.invalidate()
    }
}
