internal import CSextantLinux
public import SextantUnits

/// A timer for code that shares a reactor whose own timer is in use.
///
/// The timer runs on the kernel's boot-time clock, even if the reactor has a virtual clock. A class, because the
/// reactor calls it.
public final class Alarm {
    private let timer: Descriptor
    private let reactor: Reactor
    private var registration: Registration?

    /// - Parameter handler: Called on the reactor's thread at the instant that was set.
    public init(in reactor: Reactor, handler: @escaping () -> Void) throws(SystemError) {
        self.reactor = reactor
        timer = Descriptor(adopting: try SystemError.check(clinux_timer_create(), "timerfd_create"))
        registration = try reactor.register(timer, for: .read) { [unowned self] _ in
            // If an earlier handler of this wake-up has set the timer again, its count of expirations is 0: it has not
            // fired for its new instant.
            if timer.withRawValue({ clinux_counter_clear($0) }) == 1 { handler() }
        }
    }

    deinit { if let registration { reactor.remove(registration) } }

    /// Sets the timer, replacing the previous instant; a past instant fires at once.
    public func set(at instant: MonotonicInstant) {
        // Zero would disarm the timer.
        let result = timer.withRawValue { clinux_timer_set($0, max(1, instant.nanoseconds)) }
        precondition(result == 0, "timerfd_settime refused a valid time")
    }
}
