internal import ClientProtocol
internal import SextantUnits

/// The time for which the board was not followed: from the last location of the daemon's run before, or the end of a rest
/// that is known, to the first location of this one.
struct UnfollowedTime: Sendable, Equatable {
    /// The last time at which the board's place was known; nil where nothing is known of the time before this run.
    private var from: UTCInstant?
    /// The time of the first location; nil until it came.
    private var until: UTCInstant?

    /// Nanoseconds by which the visits' times may lie before the last location that shows the board at a place.
    private static let slack: Int64 = 60_000_000_000

    /// Takes a time at which it was still known where the board is.
    mutating func begin(_ time: UTCInstant) { from = max(from ?? time, time) }

    /// Takes the time of a location; the first one ends the unfollowed time.
    mutating func end(_ time: UTCInstant) { until = until ?? time }

    /// When a border was crossed whose other side was found at `time`: between the begin of this time and then; nil where
    /// nothing is known of the time before.
    func range(until time: UTCInstant) -> TimeRange? { from.flatMap { TimeRange(notBefore: $0, notAfter: time) } }

    /// The range of something that is dated within this time; nil where it is dated outside, and was followed.
    func range(about time: UTCInstant) -> TimeRange? {
        guard let from, let until, time <= until,
            time.nanoseconds(since: from) >= -UnfollowedTime.slack
        else { return nil }
        return TimeRange(notBefore: min(from, time), notAfter: until)
    }
}
