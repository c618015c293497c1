package import SextantUnits

/// The time after which systemd takes the daemon for stuck: the reactor's next planned instant and a grace, or never.
///
/// systemd is told a new deadline only when its last one no longer fits: a daemon that plans an instant every second
/// sends one every 5 s, and a daemon that plans none sends none. The deadline always lies after the planned instant, so
/// that it needs no wake-up of its own.
package struct WatchdogPlan {
    /// An announcement to systemd.
    package enum Announcement: Sendable, Equatable {
        case off
        /// The daemon is stuck if systemd has not heard of it until this instant.
        case by(MonotonicInstant)
    }

    /// How long after its planned instant the daemon may be silent, nanoseconds: 10 s.
    package static let grace: Int64 = 10_000_000_000
    /// How far the announced deadline may be off before it is announced anew, nanoseconds: 5 s.
    package static let tolerance: Int64 = 5_000_000_000

    /// The deadline that systemd knows; nil before the first announcement, while the unit's `WatchdogSec=` holds.
    private var announced: Announcement?

    package init() {}

    /// The announcement to make before a wait; nil where the deadline that systemd knows still fits.
    ///
    /// - Parameters:
    ///   - planned: The instant at which the wait ends at the latest; nil where none is planned.
    ///   - now: The current instant, read only where an announcement is made.
    package func announcement(
        beforeWaitUntil planned: MonotonicInstant?, now: @autoclosure () -> MonotonicInstant
    ) -> Announcement? {
        guard let planned else { return announced == .off ? nil : .off }
        if case .by(let deadline)? = announced,
            abs(deadline.nanoseconds(since: planned) - WatchdogPlan.grace) <= WatchdogPlan.tolerance
        {
            return nil
        }
        // A wait until an instant that has passed ends at once, so the grace counts from now.
        return .by(max(planned, now()).advanced(byNanoseconds: WatchdogPlan.grace))
    }

    /// The announcement to make before a wait's events are served; nil where the known deadline is near enough.
    ///
    /// A deadline that is never, or hours away, would not reveal a handler that never returns.
    package func announcement(afterWaitAt now: MonotonicInstant) -> Announcement? {
        if case .by(let deadline)? = announced,
            deadline.nanoseconds(since: now) <= WatchdogPlan.grace + WatchdogPlan.tolerance
        {
            return nil
        }
        return announced.map { _ in .by(now.advanced(byNanoseconds: WatchdogPlan.grace)) }
    }

    /// Notes that systemd has received an announcement.
    package mutating func told(_ announcement: Announcement) { announced = announcement }
}
