import CLinux
public import Units

/// A reactor on a driven clock: its owner says when time passes, and it never waits.
extension Reactor {
    /// Lets time pass, stopping at every instant that was asked for on the way, and serves what is ready at each.
    ///
    /// An instant that has passed already lets none pass.
    public func advance(to instant: MonotonicInstant) throws(SystemError) {
        guard case .driven(let clock) = time else { preconditionFailure("the board's clock cannot be driven") }
        try serveReady()
        while let wake, wake <= instant {
            clock.now = max(clock.now, wake)
            try serveReady()
        }
        clock.now = max(clock.now, instant)
    }

    /// Serves all that is due or ready now, and what comes of it, without waiting.
    public func serveReady() throws(SystemError) {
        while true {
            let hasFired = fireDue()
            let hasServed = try serve(timeout: 0)
            guard hasFired || hasServed else { return }
        }
    }

    /// Waits at most so many milliseconds of real time until something is ready, and serves it.
    ///
    /// - Returns: Whether anything was.
    public func serve(waitingMilliseconds limit: Int32) throws(SystemError) -> Bool { try serve(timeout: limit) }

    private func fireDue() -> Bool {
        guard case .driven(let clock) = time, let wake, wake <= clock.now else { return false }
        wakeUps &+= 1
        fire(at: clock.now)
        return true
    }

    /// Has `handler` called while another reactor's descriptors are ready, which it serves with `serveReady`.
    public func watch(_ other: Reactor, _ handler: @escaping () -> Void) throws(SystemError) -> Registration {
        try register(other.epoll, for: .read) { _ in handler() }
    }
}
