internal import SextantUnits

/// The fixes that were refused lately, and whether they agree with each other.
struct RefusedFixes: Sendable {
    /// The number of outliers that agree so far.
    private(set) var count = 0
    /// Velocity from the last outlier but one to the last; metres per second, Earth-fixed.
    private(set) var velocity = SIMD3<Double>.zero
    private var place: TangentPlane.Place?
    private var first = MonotonicInstant.zero
    private var last = MonotonicInstant.zero

    /// Counts an outlier.
    ///
    /// - Parameter isYoung: Whether the estimate rests on so few fixes that it is given up sooner.
    /// - Returns: Whether enough outliers agree that the board must be there.
    mutating func isSettled(
        by next: TangentPlane.Place, deviation: Double, isYoung: Bool, at instant: MonotonicInstant
    ) -> Bool {
        let interval = Double(instant.nanoseconds(since: last)) / 1e9
        if let place, count > 0, interval > 0, agrees(next, with: place, deviation, interval) {
            count += 1
            velocity = (next.earthFixed - place.earthFixed) / interval
        } else {
            count = 1
            first = instant
            velocity = .zero
        }
        place = next
        last = instant
        let span = Double(instant.nanoseconds(since: first)) / 1e9
        return count >= RefusedFixes.few && (span >= RefusedFixes.span || isYoung)
    }

    /// Whether a fix lies where the fix before leads to: near the same place, or further along the same motion.
    private func agrees(
        _ next: TangentPlane.Place, with place: TangentPlane.Place, _ deviation: Double, _ interval: Double
    ) -> Bool {
        let offset = next.earthFixed - place.earthFixed
        let room = 4 * deviation + RefusedFixes.room
        if length(offset) < room + RefusedFixes.driving * min(interval, 60) { return true }
        // The second outlier may be anywhere that a vehicle gets to; the third must continue the same motion.
        guard count > 1 else { return length(offset) < RefusedFixes.flying * interval }
        return length(offset - velocity * interval) < room + RefusedFixes.turning * interval
    }

    private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private static let few = 3
    /// Least seconds that the outliers must span.
    private static let span = 8.0
    /// Metres by which fixes of one place differ in a street canyon.
    private static let room = 15.0
    /// Metres per second.
    private static let driving = 30.0
    private static let flying = 350.0
    private static let turning = 20.0
}

/// Fixes whose time lies long before the estimate's: one alone is stale, a row of them shows that the estimate's time
/// is wrong.
struct PastRow: Sendable {
    private var count = 0
    private var last = MonotonicInstant.zero

    /// Counts a stale fix.
    ///
    /// - Returns: Whether stale fixes go on for so long that the estimate's time must be wrong.
    mutating func isLong(with instant: MonotonicInstant, knownAt known: MonotonicInstant) -> Bool {
        let (age, overflow) = known.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        guard overflow || age > PastRow.longPast else { return false }
        count = instant > last || count == 0 ? count + 1 : 1
        last = instant
        return count >= PastRow.many
    }

    private static let many = 5
    /// By how many nanoseconds a fix must be older than the estimate to count as one of long ago.
    private static let longPast: Int64 = 60_000_000_000
}
