internal import CLinux
public import Units

/// A timer of its own beside the reactor's one, for what the reactor's owner knows nothing of.
///
/// It runs on the boot-time clock whatever clock the reactor has. A class, because the reactor calls it.
public final class Alarm {
    private let timer: Descriptor
    private let reactor: Reactor
    private var registration: Registration?

    /// - Parameter handler: Called on the reactor's thread when the instant that was set has come.
    public init(in reactor: Reactor, handler: @escaping () -> Void) throws(SystemError) {
        self.reactor = reactor
        timer = Descriptor(adopting: try SystemError.check(clinux_timer_create(), "timerfd_create"))
        registration = try reactor.register(timer, for: .read) { [unowned self] _ in
            // Nothing to clear: it was set anew by an earlier handler of the same wake-up.
            if timer.withRawValue({ clinux_counter_clear($0) }) == 1 { handler() }
        }
    }

    deinit { if let registration { reactor.remove(registration) } }

    /// Sets it, replacing what was set before; a past instant fires at once.
    public func set(at instant: MonotonicInstant) {
        // Zero would disarm.
        let result = timer.withRawValue { clinux_timer_set($0, max(1, instant.nanoseconds)) }
        precondition(result == 0, "timerfd_settime refused a valid time")
    }
}
