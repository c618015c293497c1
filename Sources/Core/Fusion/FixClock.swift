public import GNSS
public import Units

/// Relates the receiver's time to the board's clock, so that a fix counts for when it was measured, and not for when its
/// last byte was read.
///
/// The fix that was read soonest after its time sets the relation, and others are late against it. A crystal drifts: the
/// relation is let go by 50 µs a second, which is more than any board's.
public struct FixClock: Sendable {
    /// Nanoseconds to add to an instant of this boot to make UTC; nil before a receiver vouched for its time.
    public private(set) var offset: Int64?
    private var setAt = MonotonicInstant.zero

    /// Nanoseconds by which a relation may change and be the same clock still; a larger change is a new one.
    private static let largestLatency: Int64 = 1_500_000_000
    /// Nanoseconds of drift a second.
    private static let drift: Int64 = 50_000

    public init() {}

    /// When a fix holds, on the board's clock: its own time where the receiver vouches for that.
    ///
    /// - Parameter instant: When it was read.
    public mutating func instant(of fix: Fix, readAt instant: MonotonicInstant) -> MonotonicInstant {
        guard fix.isTimeValidated, let time = fix.time else { return instant }
        let seen = time.nanoseconds &- instant.nanoseconds
        offset = related(seen, at: instant)
        setAt = instant
        return MonotonicInstant(nanoseconds: time.nanoseconds &- (offset ?? seen))
    }

    /// The UTC of an instant; nil before a receiver vouched for its time.
    public func utc(_ instant: MonotonicInstant) -> UTCInstant? {
        offset.map { UTCInstant(nanoseconds: instant.nanoseconds &+ $0) }
    }

    /// The instant of a UTC; nil before a receiver vouched for its time.
    public func instant(of time: UTCInstant) -> MonotonicInstant? {
        offset.map { MonotonicInstant(nanoseconds: time.nanoseconds &- $0) }
    }

    private func related(_ seen: Int64, at instant: MonotonicInstant) -> Int64 {
        guard let offset else { return seen }
        let elapsed = max(0, instant.nanoseconds(since: setAt))
        let drifted =
            offset &- elapsed / 1_000_000_000 &* FixClock.drift
            &- elapsed % 1_000_000_000 &* FixClock.drift / 1_000_000_000
        let (change, isFar) = seen.subtractingReportingOverflow(drifted)
        guard !isFar, abs(change) <= FixClock.largestLatency else { return seen }
        return max(seen, drifted)
    }
}
