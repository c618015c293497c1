public import SextantUnits

/// When the host is to be served again, and for whose sake.
public struct HostSleepPlan: Sendable, Equatable {
    /// The kind of deadline that ends the sleep; the energy of the boot is charged to it.
    public enum Cause: String, Sendable, CaseIterable {
        /// A location is due.
        case locate
        /// A client is to be told something.
        case tell
        /// The longest time for which nothing is looked at.
        case heartbeat
        /// The longest sleep that is allowed.
        case longest
        /// The owner tries the switch out.
        case trial
    }

    /// The instant of the alarm; the host serves a boot later.
    public var wake: MonotonicInstant
    public var cause: Cause
    /// The seconds until the second way back wakes the host; nil where there is none.
    public var backstop: Double?
    public var byMotion: Bool

    /// The longest time for which nothing is looked at while the board rests; seconds, as `FixPlanner` has it.
    static let heartbeat = 7200.0
    /// The same with a battery that is low or critical: once a day.
    static let heartbeatOnLowBattery = 86_400.0
    /// The seconds that the second way back comes after the alarm, at least.
    static let backstopAfter = 300.0

    /// The bounds of a plan.
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

    /// The longest sleep that serves the needs; nil where a location is due within the floor, or the switch cannot
    /// count so far.
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
        guard seconds >= bounds.floor, seconds > SwitchOrder.leastAhead else { return nil }
        self.init(seconds, cause, of: traits, byMotion: bounds.byMotion, at: now)
    }

    /// The sleep of so many seconds by which the owner tries the switch out.
    init?(trial seconds: Double, of traits: HostSwitchTraits, byMotion: Bool, at now: MonotonicInstant) {
        self.init(seconds, .trial, of: traits, byMotion: byMotion, at: now)
    }

    /// Makes a plan; nil where the switch's second way back cannot count so far.
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
    /// Seconds to a later instant; negative where it is past.
    func seconds(until later: MonotonicInstant) -> Double { Double(later.nanoseconds(since: self)) / 1e9 }
}
