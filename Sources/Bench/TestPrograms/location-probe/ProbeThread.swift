import CoreLocation

/// Where a manager lives: the main thread, or a thread of its own that runs a run loop.
final class ProbeThread: @unchecked Sendable {
    // Unchecked: `mail` is behind the lock; the timer is made before anybody else sees this, and a Timer's fire date
    // may be set from any thread.
    private let lock = NSLock()
    private var mail: [@Sendable () -> Void] = []
    private var timer: Timer?

    /// Nil is the main thread.
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

    /// Adds a timer that never fires by itself; the probe makes it due.
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
