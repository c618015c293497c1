import CSextantLinux
public import SextantUnits

/// A reactor on a virtual clock: its owner advances the time, and the reactor never waits.
extension Reactor {
    /// Advances the virtual clock, stops it at every requested wake-up on the way, and serves what is ready there.
    ///
    /// If `instant` has passed already, the clock does not move.
    public func advance(to instant: MonotonicInstant) throws(SystemError) {
        guard case .driven(let clock) = time else { preconditionFailure("the board's clock cannot be driven") }
        try serveReady()
        while let wake, wake <= instant {
            clock.now = max(clock.now, wake)
            try serveReady()
        }
        clock.now = max(clock.now, instant)
    }

    /// Calls the timer's handler if it is due and the handlers of all ready descriptors, until none is left to call.
    public func serveReady() throws(SystemError) {
        while true {
            let hasFired = fireDue()
            let hasServed = try serve(timeout: 0)
            guard hasFired || hasServed else { return }
        }
    }

    /// Waits at most `limit` milliseconds of real time until something is ready, and serves it.
    ///
    /// - Returns: Whether anything was ready.
    public func serve(waitingMilliseconds limit: Int32) throws(SystemError) -> Bool { try serve(timeout: limit) }

    private func fireDue() -> Bool {
        guard case .driven(let clock) = time, let wake, wake <= clock.now else { return false }
        wakeUps &+= 1
        fire(at: clock.now)
        return true
    }

    /// Calls `handler` while descriptors of another reactor are ready; the handler calls that reactor's `serveReady`.
    public func watch(_ other: Reactor, _ handler: @escaping () -> Void) throws(SystemError) -> Registration {
        try register(other.epoll, for: .read) { _ in handler() }
    }
}
