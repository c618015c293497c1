package import Units

/// By when systemd takes the daemon for stuck: the reactor's next planned instant and a grace, or never.
///
/// systemd is told a new deadline only when its last one no longer fits: a daemon that plans something every second
/// tells it every 5 s, one that plans nothing tells it nothing. The deadline always lies after the planned instant, so
/// that it needs no wake-up of its own.
package struct WatchdogPlan {
    /// What systemd is to be told.
    package enum Announcement: Sendable, Equatable {
        case off
        /// The daemon is stuck when nothing was heard until then.
        case by(MonotonicInstant)
    }

    /// How long after its planned instant the daemon may be silent, nanoseconds: 10 s.
    package static let grace: Int64 = 10_000_000_000
    /// By how much what was announced may differ from that before it is announced anew, nanoseconds: 5 s.
    package static let tolerance: Int64 = 5_000_000_000

    /// What systemd knows; nil until it was told, while the unit's `WatchdogSec=` stands.
    private var announced: Announcement?

    package init() {}

    /// What to tell before a wait; nil where what systemd knows still fits.
    ///
    /// - Parameters:
    ///   - planned: When the wait ends at the latest; nil where nothing is planned.
    ///   - now: Read only where something is to be told.
    package func announcement(
        beforeWaitUntil planned: MonotonicInstant?, now: @autoclosure () -> MonotonicInstant
    ) -> Announcement? {
        guard let planned else { return announced == .off ? nil : .off }
        if case .by(let deadline)? = announced,
            abs(deadline.nanoseconds(since: planned) - WatchdogPlan.grace) <= WatchdogPlan.tolerance
        {
            return nil
        }
        // A planned instant that has passed already ends the wait at once.
        return .by(max(planned, now()).advanced(byNanoseconds: WatchdogPlan.grace))
    }

    /// What to tell before the events of a wait are served; nil where systemd watches already.
    ///
    /// The announced deadline may be never, or hours away, and a handler that never returns would go unseen until then.
    package func announcement(afterWaitAt now: MonotonicInstant) -> Announcement? {
        if case .by(let deadline)? = announced,
            deadline.nanoseconds(since: now) <= WatchdogPlan.grace + WatchdogPlan.tolerance
        {
            return nil
        }
        return announced.map { _ in .by(now.advanced(byNanoseconds: WatchdogPlan.grace)) }
    }

    /// Notes that systemd has it.
    package mutating func told(_ announcement: Announcement) { announced = announcement }
}
