/// An instant on the board's boot-time clock (`CLOCK_BOOTTIME`): it never steps and counts through suspend.
///
/// Unit: nanoseconds since boot. Timeouts, rates and waits are measured with this clock, because a Pi has no battery
/// clock, so its wall clock steps.
public struct MonotonicInstant: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant of boot.
    public static let zero = MonotonicInstant(nanoseconds: 0)

    /// This instant plus an interval in nanoseconds; the last or first possible instant where the sum is out of range.
    public func advanced(byNanoseconds interval: Int64) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: nanoseconds.addingSaturating(interval))
    }

    /// This instant plus an interval in seconds, which can be any number; NaN counts as 0.
    public func advanced(bySeconds interval: Double) -> MonotonicInstant {
        advanced(byNanoseconds: Int64(saturating: interval * 1e9))
    }

    /// Nanoseconds from `earlier` to this instant; negative when `earlier` is later.
    public func nanoseconds(since earlier: MonotonicInstant) -> Int64 {
        nanoseconds.subtractingSaturating(earlier.nanoseconds)
    }

    /// Seconds from `earlier` to this instant; negative when `earlier` is later.
    public func seconds(since earlier: MonotonicInstant) -> Double { Double(nanoseconds(since: earlier)) * 1e-9 }

    /// The earlier of two instants, where nil means never.
    public static func earlier(_ first: MonotonicInstant?, _ second: MonotonicInstant?) -> MonotonicInstant? {
        guard let first, let second else { return first ?? second }
        return min(first, second)
    }

    public static func < (left: MonotonicInstant, right: MonotonicInstant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}

/// An instant of Coordinated Universal Time, counted as POSIX does: leap seconds have no number of their own.
///
/// Unit: nanoseconds since 1970-01-01T00:00:00Z; range 1677 to 2262. Code uses such an instant only where a receiver or
/// the system has a valid time.
public struct UTCInstant: Sendable, Hashable, Comparable {
    public var nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public init(date: CivilDate, timeOfDay nanoseconds: Int64) {
        let (day, overflows) = Int64(date.daysSince1970).multipliedReportingOverflow(by: UTCInstant.nanosecondsPerDay)
        self.nanoseconds = overflows ? (date.year < 1970 ? .min : .max) : day.addingSaturating(nanoseconds)
    }

    public static let nanosecondsPerDay: Int64 = 86_400_000_000_000

    /// Seconds since 1970, to the resolution of a `Double` (a quarter of a microsecond today).
    ///
    /// The fraction is added last, so that a fraction of exactly a quarter of a second stays exact.
    public var seconds: Double {
        let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
        return Double(whole) + Double(rest) / 1e9
    }

    /// The civil date in UTC.
    public var date: CivilDate {
        CivilDate(daysSince1970: Int32(truncatingIfNeeded: dayNumber))
    }

    /// Nanoseconds since midnight UTC, 0 to 86 399 999 999 999.
    public var timeOfDay: Int64 { nanoseconds &- dayNumber &* UTCInstant.nanosecondsPerDay }

    private var dayNumber: Int64 {
        let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: UTCInstant.nanosecondsPerDay)
        return remainder < 0 ? quotient - 1 : quotient
    }

    /// This instant plus an interval in nanoseconds; the last or first possible instant where the sum is out of range.
    public func advanced(byNanoseconds interval: Int64) -> UTCInstant {
        UTCInstant(nanoseconds: nanoseconds.addingSaturating(interval))
    }

    /// Nanoseconds from `earlier` to this instant; negative when `earlier` is later.
    ///
    /// A receiver can report any time, so a difference that is out of range becomes the largest or smallest number.
    public func nanoseconds(since earlier: UTCInstant) -> Int64 {
        nanoseconds.subtractingSaturating(earlier.nanoseconds)
    }

    /// This instant, rounded to the nearest whole millisecond; half a millisecond is rounded up.
    public var roundedToMillisecond: UTCInstant {
        let shifted = nanoseconds &+ 500_000
        let remainder = shifted % 1_000_000
        return UTCInstant(nanoseconds: shifted &- (remainder < 0 ? remainder + 1_000_000 : remainder))
    }

    public static func < (left: UTCInstant, right: UTCInstant) -> Bool { left.nanoseconds < right.nanoseconds }
}
