/// GPS time: a continuous count of weeks and time of week since 1980-01-06T00:00:00, without leap seconds.
///
/// Source: IS-GPS-200, section 20.3.3.
public struct GNSSTime: Sendable, Hashable {
    /// Full week number, not modulo 1024.
    public var week: Int32
    /// The time of week: nanoseconds since the start of the week.
    public var timeOfWeek: Int64

    public init(week: Int32, timeOfWeek: Int64) {
        self.week = week
        self.timeOfWeek = timeOfWeek
    }

    public static let nanosecondsPerWeek: Int64 = 604_800_000_000_000

    /// The GPS weeks whose times `UTCInstant` can represent: from the year 1980 to the year 2261.
    public static let weeks: ClosedRange<Int32> = 0...14_700

    /// The first day of GPS time, 1980-01-06, as days since 1970-01-01.
    static let epochDays: Int64 = 3657

    /// Converts a GPS time whose week is in `weeks` to UTC; GPS time is ahead of UTC by `leapSeconds`.
    public func utc(leapSeconds: Int) -> UTCInstant {
        UTCInstant(
            nanoseconds: GNSSTime.epochDays * UTCInstant.nanosecondsPerDay
                + Int64(week) * GNSSTime.nanosecondsPerWeek + timeOfWeek - Int64(leapSeconds) * 1_000_000_000
        )
    }
}

/// The leap seconds between GPS time and UTC.
///
/// Source: IERS Bulletin C; the last leap second was inserted at the end of 2016, and Bulletin C of 2026 announces
/// none.
public enum LeapSeconds {
    /// For each number of leap seconds, 0 to 18, the first day on which that number was valid, as days since 1970; 0 is
    /// valid from the GPS epoch.
    private static let firstDays: [Int32] = [
        (1980, 1, 6), (1981, 7, 1), (1982, 7, 1), (1983, 7, 1), (1985, 7, 1), (1988, 1, 1), (1990, 1, 1), (1991, 1, 1),
        (1992, 7, 1), (1993, 7, 1), (1994, 7, 1), (1996, 1, 1), (1997, 7, 1), (1999, 1, 1), (2006, 1, 1), (2009, 1, 1),
        (2012, 7, 1), (2015, 7, 1), (2017, 1, 1),
    ].map { CivilDate(uncheckedYear: $0.0, month: $0.1, day: $0.2).daysSince1970 }

    /// The seconds by which GPS time is ahead of UTC on `date`.
    public static func gpsMinusUTC(on date: CivilDate) -> Int {
        let day = date.daysSince1970
        var count = firstDays.count - 1
        while count > 0, firstDays[count] > day { count -= 1 }
        return count
    }

    /// The seconds by which GPS time is ahead of UTC at `time`; the search is needed because the UTC date of `time`
    /// itself depends on them.
    public static func gpsMinusUTC(at time: GNSSTime) -> Int {
        var count = firstDays.count - 1
        while count > 0, time.utc(leapSeconds: count).date.daysSince1970 < firstDays[count] { count -= 1 }
        return count
    }
}

/// Corrects dates from counters that wrap: the 10-bit GPS week, and every date that a receiver derived from it.
public enum WeekRollover {
    public static let weeks: Int64 = 1024

    /// Moves `instant` by a multiple of 1024 weeks to the time nearest `reference`, keeping the time of day.
    ///
    /// `reference` is the later of the host's clock and the build date, or the date on which a recording was made.
    public static func snap(_ instant: UTCInstant, toward reference: UTCInstant) -> UTCInstant {
        let period = weeks * GNSSTime.nanosecondsPerWeek
        let (whole, rest) = reference.nanoseconds(since: instant).quotientAndRemainder(dividingBy: period)
        let nearest = instant.advanced(byNanoseconds: whole * period)
        return rest.magnitude < period / 2 ? nearest : nearest.advanced(byNanoseconds: rest < 0 ? -period : period)
    }
}

/// What is known of the true date, in order to correct dates whose GPS week or century has wrapped.
public enum DateReference: Sendable {
    /// The true date is within 512 weeks of this instant: the later of the host's clock and the build date, or the day
    /// of a recording.
    case near(UTCInstant)
    /// For a recording of unknown age: of the dates that differ from the received one by multiples of 1024 weeks, the
    /// true one is the last that is not after this instant.
    case notAfter(UTCInstant)

    /// The instant, moved by a multiple of 1024 weeks so that it agrees with this reference.
    public func mended(_ instant: UTCInstant) -> UTCInstant {
        switch self {
        case .near(let reference): return WeekRollover.snap(instant, toward: reference)
        case .notAfter(let now):
            let nearest = WeekRollover.snap(instant, toward: now)
            let period = WeekRollover.weeks * GNSSTime.nanosecondsPerWeek
            return nearest > now ? nearest.advanced(byNanoseconds: -period) : nearest
        }
    }
}
