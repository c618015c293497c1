public import GNSS
public import SextantUnits

/// Relates the receiver's time to the board's clock, so that a fix gets the instant of its measurement and not the
/// instant at which its last byte was read.
///
/// The offset (UTC minus the board's clock) is taken from the fix that was read with the shortest delay. Other fixes
/// are read later: by the time that a burst of messages takes, or by up to a minute where the host slept. The offset is
/// reduced by 50 µs per second, more than the crystals of any board drift, so that a later fix with a short delay sets
/// it again.
///
/// A fix that contradicts the offset changes it only after five more fixes in a row have contradicted it by the same
/// amount. Otherwise a single wrong date would change the offset, and all true fixes after that date would contradict
/// it.
public struct FixClock: Sendable {
    /// Nanoseconds to add to an instant since boot to get UTC; nil until a receiver has given a validated time.
    public private(set) var offset: Int64?
    private var setAt = MonotonicInstant.zero
    /// By how many nanoseconds the most recent fix that contradicted `offset` was late; negative if the fix was early.
    ///
    /// `repeats` counts the fixes in a row that were late by the same amount.
    private var lateness: Int64 = 0
    private var repeats = 0

    /// A fix contradicts `offset` if the fix is late or early by more than this; nanoseconds.
    private static let jitter: Int64 = 1_500_000_000
    /// The longest accepted delay between the measurement and the reading of a fix; nanoseconds.
    private static let longestLatency: Int64 = 60_000_000_000
    /// How many more fixes in a row, after the first late one, must be late by the same amount to show that the
    /// receiver's or the board's clock was set.
    private static let proof = 5
    /// The allowed drift between the receiver's and the board's clock, in nanoseconds per second; more than the
    /// crystals of any board drift.
    private static let drift: Int64 = 50_000

    public init() {}

    /// The instant of a fix's measurement on the board's clock, from the time in the fix where the receiver has
    /// validated that time.
    ///
    /// The result is the instant of reading where the fix has no validated time, and also where the computed instant
    /// would be after the reading or more than a minute before it.
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

    /// Converts an instant of the board's clock to UTC; nil until a receiver has given a validated time.
    public func utc(_ instant: MonotonicInstant) -> UTCInstant? {
        offset.map { UTCInstant(nanoseconds: instant.nanoseconds &+ $0) }
    }

    /// Converts UTC to an instant of the board's clock; nil until a receiver has given a validated time.
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
