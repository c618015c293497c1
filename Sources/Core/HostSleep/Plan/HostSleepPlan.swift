public import SextantUnits

/// The plan of a sleep: when the host is to wake, and why.
public struct HostSleepPlan: Sendable, Equatable {
    /// The kind of deadline that ends the sleep; the energy ledger counts the boot's energy under it.
    public enum Cause: String, Sendable, CaseIterable {
        /// A location is due.
        case locate
        /// A client must be notified of something that needs no new fix.
        case tell
        /// The longest time without a check of the board's location is over.
        case heartbeat
        /// The longest sleep that is allowed is over.
        case longest
        /// The owner tests the power switch by a short sleep.
        case trial
    }

    /// The instant at which the alarm wakes the host; clients are served only after the boot that follows.
    public var wake: MonotonicInstant
    public var cause: Cause
    /// The seconds from the sleep's beginning until the backstop, a second wake-up by a counter; nil where there is
    /// none.
    public var backstop: Double?
    public var byMotion: Bool

    /// The longest time in seconds for which the location of a board at rest goes unchecked: two hours.
    static let heartbeat = 7200.0
    /// The longest time in seconds for which the location goes unchecked while the battery is low or critical: one day.
    static let heartbeatOnLowBattery = 86_400.0
    /// The shortest time in seconds from the alarm to the backstop, a second wake-up by a counter.
    static let backstopAfter = 300.0

    /// What limits a plan: the shortest and the longest sleep, the time that a boot takes, the longest time without a
    /// check of the location, and whether motion may wake the host.
    struct Bounds {
        /// The shortest sleep; seconds.
        var floor: Double
        /// The longest sleep; seconds.
        var longest: Double
        /// The seconds from the alarm until clients are served.
        var boot: Double
        var heartbeat = HostSleepPlan.heartbeat
        var byMotion: Bool
    }

    /// Plans the longest sleep that serves the needs; nil where a location is due before the shortest sleep ends, or
    /// the switch's backstop counter cannot count that far.
    init?(_ needs: HostNeeds, within bounds: Bounds, of traits: HostSwitchTraits, at now: MonotonicInstant) {
        var (seconds, cause) = (min(bounds.longest, traits.horizon), Cause.longest)
        if needs.isAsked, bounds.heartbeat < seconds { (seconds, cause) = (bounds.heartbeat, .heartbeat) }
        if let tell = needs.tell {
            let told = max(bounds.floor, now.seconds(until: tell) - bounds.boot)
            if told < seconds { (seconds, cause) = (told, .tell) }
        }
        if let locate = needs.locate {
            let located = now.seconds(until: locate) - bounds.boot
            if located < seconds { (seconds, cause) = (located, .locate) }
        }
        seconds.round(.down)
        guard seconds >= bounds.floor, seconds > SwitchOrder.minimumAhead else { return nil }
        self.init(seconds, cause, of: traits, byMotion: bounds.byMotion, at: now)
    }

    /// Plans a sleep of `seconds` by which the owner tests the switch; nil where the backstop cannot count that far.
    init?(trial seconds: Double, of traits: HostSwitchTraits, byMotion: Bool, at now: MonotonicInstant) {
        self.init(seconds, .trial, of: traits, byMotion: byMotion, at: now)
    }

    /// Makes a plan; nil where the switch's backstop, a counter, cannot count as far as the plan needs.
    private init?(
        _ seconds: Double, _ cause: Cause, of traits: HostSwitchTraits, byMotion: Bool, at now: MonotonicInstant
    ) {
        if let counter = traits.backstop {
            backstop = counter.seconds(atLeast: seconds + HostSleepPlan.backstopAfter)
            guard backstop != nil else { return nil }
        }
        wake = now.advanced(bySeconds: seconds)
        self.cause = cause
        self.byMotion = byMotion
    }
}

extension MonotonicInstant {
    /// Seconds from this instant to a later one; negative where that one is earlier.
    func seconds(until later: MonotonicInstant) -> Double { Double(later.nanoseconds(since: self)) / 1e9 }
}
