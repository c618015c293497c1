package import SextantUnits

/// Plans the watchdog deadline after which systemd takes the daemon for stuck.
///
/// The deadline is the next instant at which the reactor plans to wake up, plus a grace time; without a planned wake-up
/// there is no deadline. systemd is told a new deadline only when the last one no longer fits: a daemon that plans a
/// wake-up every second sends a deadline at most every 5 s, and a daemon that plans none sends none. The deadline
/// always lies after the planned wake-up, so that it needs no wake-up of its own.
package struct WatchdogPlan {
    /// A deadline message: tells systemd by when the daemon's next message must arrive.
    package enum Announcement: Sendable, Equatable {
        case off
        /// systemd takes the daemon for stuck if it gets no further message by this instant.
        case by(MonotonicInstant)
    }

    /// How long the daemon can be silent after its planned wake-up, in nanoseconds: 10 s.
    package static let grace: Int64 = 10_000_000_000
    /// How far systemd's deadline can be from the planned wake-up plus the grace time before systemd gets a new
    /// deadline, in nanoseconds: 5 s.
    package static let tolerance: Int64 = 5_000_000_000

    /// The last deadline message that systemd got; nil if it got none, so that the unit's `WatchdogSec=` applies.
    private var announced: Announcement?

    package init() {}

    /// The deadline to tell systemd before the reactor waits; nil if the deadline that systemd knows still fits.
    ///
    /// - Parameters:
    ///   - planned: The latest instant at which the wait ends; nil if none is planned.
    ///   - now: The current instant, evaluated only if a deadline is told.
    package func announcement(
        beforeWaitUntil planned: MonotonicInstant?, now: @autoclosure () -> MonotonicInstant
    ) -> Announcement? {
        guard let planned else { return announced == .off ? nil : .off }
        if case .by(let deadline)? = announced,
            abs(deadline.nanoseconds(since: planned) - WatchdogPlan.grace) <= WatchdogPlan.tolerance
        {
            return nil
        }
        // If the planned instant has passed, the wait ends at once, so the grace time counts from now.
        return .by(max(planned, now()).advanced(byNanoseconds: WatchdogPlan.grace))
    }

    /// The deadline to tell systemd after a wait, before the wait's events are served; nil if the deadline that systemd
    /// knows is near enough.
    ///
    /// Without a deadline, or with one that is hours away, a handler that never returns would not be noticed.
    package func announcement(afterWaitAt now: MonotonicInstant) -> Announcement? {
        if case .by(let deadline)? = announced,
            deadline.nanoseconds(since: now) <= WatchdogPlan.grace + WatchdogPlan.tolerance
        {
            return nil
        }
        return announced.map { _ in .by(now.advanced(byNanoseconds: WatchdogPlan.grace)) }
    }

    /// Records the deadline message that systemd has received.
    package mutating func told(_ announcement: Announcement) { announced = announcement }
}
