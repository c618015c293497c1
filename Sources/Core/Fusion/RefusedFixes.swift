internal import SextantUnits

/// The fixes refused as outliers one after the other, and how many of them agree with each other.
struct RefusedFixes: Sendable {
    /// The number of outliers that agree so far.
    private(set) var count = 0
    /// Velocity computed from the places of the last two outliers that agree; metres per second, Earth-fixed.
    private(set) var velocity = SIMD3<Double>.zero
    private var place: TangentPlane.Place?
    private var first = MonotonicInstant.zero
    private var last = MonotonicInstant.zero

    /// Counts an outlier.
    ///
    /// - Parameter isYoung: Whether the current estimate comes from so few fixes that it is given up sooner.
    /// - Returns: Whether enough outliers agree to show that the board is at their place.
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

    /// Whether a fix agrees with the previous outlier: it lies near that outlier, or further along the same motion.
    private func agrees(
        _ next: TangentPlane.Place, with place: TangentPlane.Place, _ deviation: Double, _ interval: Double
    ) -> Bool {
        let offset = next.earthFixed - place.earthFixed
        let room = 4 * deviation + RefusedFixes.room
        if length(offset) < room + RefusedFixes.driving * min(interval, 60) { return true }
        // The second outlier can be anywhere that the fastest vehicle can reach; the third must continue the motion
        // from the first to the second.
        guard count > 1 else { return length(offset) < RefusedFixes.flying * interval }
        return length(offset - velocity * interval) < room + RefusedFixes.turning * interval
    }

    private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private static let few = 3
    /// The outliers that agree must span at least this many seconds.
    private static let span = 8.0
    /// Metres by which fixes of the same place can differ in a street canyon.
    private static let room = 15.0
    /// An outlier that can be reached from the previous one at less than this speed counts as near it; metres per
    /// second.
    ///
    /// `flying` is the largest speed from the first outlier to the second; `turning` is by how much the velocity
    /// between successive outliers can change from one pair to the next.
    private static let driving = 30.0
    private static let flying = 350.0
    private static let turning = 20.0
}

/// Counts the fixes in a row whose time is more than a minute before the time of the estimate.
///
/// A single such fix is stale; many in a row show that the estimate's time is wrong.
struct PastRow: Sendable {
    private var count = 0
    private var last = MonotonicInstant.zero

    /// Counts a fix that is much older than the estimate.
    ///
    /// - Returns: Whether there were so many such fixes in a row that the estimate's time must be wrong.
    mutating func isLong(with instant: MonotonicInstant, knownAt known: MonotonicInstant) -> Bool {
        let (age, overflow) = known.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        guard overflow || age > PastRow.longPast else { return false }
        count = instant > last || count == 0 ? count + 1 : 1
        last = instant
        return count >= PastRow.many
    }

    private static let many = 5
    /// A fix counts as much older than the estimate if it is older by more than this; nanoseconds.
    private static let longPast: Int64 = 60_000_000_000
}
