internal import ClientProtocol
internal import SextantUnits

/// The time before this run of the daemon for which the board's position is not known.
///
/// It begins with the last time at which the position was known, by a location or because the board was known to rest,
/// and ends with the first location of this run.
struct UnfollowedTime: Sendable, Equatable {
    /// The last time before this run at which the board's position was known; nil where no such time is known.
    private var from: UTCInstant?
    /// The time of this run's first location; nil until that location came.
    private var until: UTCInstant?

    /// A visit's departure can be dated up to this many nanoseconds before the last location at the visit's place.
    private static let slack: Int64 = 60_000_000_000

    /// Takes a time at which the board's position was still known.
    mutating func begin(_ time: UTCInstant) { from = max(from ?? time, time) }

    /// Takes the time of a location; the first location of this run ends the period.
    mutating func end(_ time: UTCInstant) { until = until ?? time }

    /// The range of times in which the board crossed a border; at `time`, a location showed the board on the new side.
    ///
    /// The range begins with the last time at which the position was known before this run, and ends at `time`; nil
    /// where that beginning is not known.
    func range(until time: UTCInstant) -> TimeRange? { from.flatMap { TimeRange(notBefore: $0, notAfter: time) } }

    /// The range of times for an event dated while the board's position was not known; nil for any other event.
    func range(about time: UTCInstant) -> TimeRange? {
        guard let from, let until, time <= until,
            time.nanoseconds(since: from) >= -UnfollowedTime.slack
        else { return nil }
        return TimeRange(notBefore: min(from, time), notAfter: until)
    }
}
