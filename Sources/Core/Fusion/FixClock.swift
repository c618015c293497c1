public import GNSS
public import SextantUnits

/// Relates the receiver's time to the board's clock, so that a fix counts for when it was measured, and not for when
/// its last byte was read.
///
/// The fix that was read soonest after its time sets the relation, and others are late against it: by the length of a
/// burst, or by a minute where the host slept. Because crystals drift, the relation is relaxed by 50 µs a second, which
/// is more than any board drifts.
///
/// A fix that contradicts the relation changes it only when others in a row have confirmed its time: one date that is
/// wrong, ahead or behind, would otherwise make all true fixes after it contradict the relation.
public struct FixClock: Sendable {
    /// Nanoseconds to add to an instant of this boot to get UTC; nil before a receiver gave a validated time.
    public private(set) var offset: Int64?
    private var setAt = MonotonicInstant.zero
    /// Nanoseconds by which the last fix that contradicted the relation was late, negative where it was early;
    /// `repeats` counts the fixes in a row before it that were as late.
    private var lateness: Int64 = 0
    private var repeats = 0

    /// Nanoseconds by which fixes of one clock come sooner or later than others.
    private static let jitter: Int64 = 1_500_000_000
    /// Nanoseconds by which a fix may be late.
    private static let longestLatency: Int64 = 60_000_000_000
    /// Fixes after the first, late or early by the same time, that show that a clock was set.
    private static let proof = 5
    /// The allowed drift between the two clocks, in nanoseconds per second; more than the crystals of any board drift.
    private static let drift: Int64 = 50_000

    public init() {}

    /// The instant for which a fix holds, on the board's clock: the fix's own time where the receiver has validated it.
    ///
    /// A fix that would hold for later than it was read, or for longer before than a fix may be late, holds for when it
    /// was read.
    ///
    /// - Parameter instant: When the fix was read.
    public mutating func instant(of fix: Fix, readAt instant: MonotonicInstant) -> MonotonicInstant {
        guard fix.isTimeValidated, let time = fix.time else { return instant }
        let related = relate(time.nanoseconds &- instant.nanoseconds, at: instant)
        offset = related
        setAt = instant
        let measured = MonotonicInstant(nanoseconds: time.nanoseconds &- related)
        let (age, isFar) = instant.nanoseconds.subtractingReportingOverflow(measured.nanoseconds)
        return isFar || age < 0 || age > FixClock.longestLatency ? instant : measured
    }

    /// The UTC of an instant; nil before a receiver gave a validated time.
    public func utc(_ instant: MonotonicInstant) -> UTCInstant? {
        offset.map { UTCInstant(nanoseconds: instant.nanoseconds &+ $0) }
    }

    /// The instant of a UTC; nil before a receiver gave a validated time.
    public func instant(of time: UTCInstant) -> MonotonicInstant? {
        offset.map { MonotonicInstant(nanoseconds: time.nanoseconds &- $0) }
    }

    private mutating func relate(_ seen: Int64, at instant: MonotonicInstant) -> Int64 {
        guard let offset else { return seen }
        let (seconds, rest) = max(0, instant.nanoseconds(since: setAt)).quotientAndRemainder(dividingBy: 1_000_000_000)
        let drifted = offset &- seconds &* FixClock.drift &- rest &* FixClock.drift / 1_000_000_000
        let late = drifted &- seen
        guard late.magnitude > FixClock.jitter else {
            repeats = 0
            return max(seen, drifted)
        }
        repeats = (late &- lateness).magnitude <= FixClock.jitter / 2 ? repeats + 1 : 0
        lateness = late
        guard repeats >= FixClock.proof else { return drifted }
        repeats = 0
        return seen
    }
}
