import CoreLocation

/// A thread with a run loop, for a location manager that must not run on the main thread.
final class ProbeThread: @unchecked Sendable {
    // Unchecked: the lock protects `mail`; the timer is made before other threads see this object, and any thread is
    // allowed to set a Timer's fire date.
    private let lock = NSLock()
    private var mail: [@Sendable () -> Void] = []
    private var timer: Timer?

    /// Starts a thread and returns once its run loop has a timer.
    static func start() async -> ProbeThread {
        let probe = ProbeThread()
        await withCheckedContinuation { (started: CheckedContinuation<Void, Never>) in
            let thread = Thread {
                probe.addTimer()
                started.resume()
                RunLoop.current.run()
            }
            thread.name = "probe"
            thread.start()
        }
        return probe
    }

    /// Adds a timer that never fires by itself; `run` makes it fire.
    private func addTimer() {
        let timer = Timer(fire: .distantFuture, interval: 100_000_000, repeats: true) { [unowned self] _ in drain() }
        RunLoop.current.add(timer, forMode: .common)
        self.timer = timer
    }

    func run(_ body: @escaping @Sendable () -> Void) async {
        await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
            lock.withLock {
                mail.append {
                    body()
                    done.resume()
                }
            }
            timer?.fireDate = .distantPast
        }
    }

    private func drain() {
        let bodies = lock.withLock {
            defer { mail = [] }
            return mail
        }
        for body in bodies { body() }
    }
}
