internal import Units

/// The fixes that were refused of late, and whether they agree with each other.
struct Doubt: Sendable {
    /// How many outliers agree so far.
    private(set) var count = 0
    /// Metres per second, Earth-fixed, from the last but one to the last.
    private(set) var velocity = SIMD3<Double>.zero
    private var place: TangentPlane.Place?
    private var first = MonotonicInstant.zero
    private var last = MonotonicInstant.zero

    /// Counts an outlier.
    ///
    /// - Parameter isYoung: Whether so little is known that it is given up sooner.
    /// - Returns: Whether enough agree that the board must be there.
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
        return count >= Doubt.few && (span >= Doubt.span || isYoung)
    }

    /// Whether a fix lies where the one before leads to: it stays there, or goes on as it went.
    private func agrees(
        _ next: TangentPlane.Place, with place: TangentPlane.Place, _ deviation: Double, _ interval: Double
    ) -> Bool {
        let offset = next.earthFixed - place.earthFixed
        let room = 4 * deviation + Doubt.room
        if length(offset) < room + Doubt.driving * min(interval, 60) { return true }
        // The second may be anywhere that a vehicle gets to; the third must go on like it.
        guard count > 1 else { return length(offset) < Doubt.flying * interval }
        return length(offset - velocity * interval) < room + Doubt.turning * interval
    }

    private func length(_ vector: SIMD3<Double>) -> Double { (vector * vector).sum().squareRoot() }

    private static let few = 3
    /// Seconds that the outliers must span.
    private static let span = 8.0
    /// Metres by which fixes of one place differ in a street canyon.
    private static let room = 15.0
    /// Metres per second.
    private static let driving = 30.0
    private static let flying = 350.0
    private static let turning = 20.0
}

/// Fixes whose time lies long before what is known: one alone is stale, a row of them shows that the known time is wrong.
struct PastRow: Sendable {
    private var count = 0
    private var last = MonotonicInstant.zero

    /// Counts a stale fix.
    ///
    /// - Returns: Whether the fixes go on, long before what is known: its time must have been wrong.
    mutating func isLong(with instant: MonotonicInstant, knownAt known: MonotonicInstant) -> Bool {
        let (age, overflow) = known.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        guard overflow || age > PastRow.longPast else { return false }
        count = instant > last || count == 0 ? count + 1 : 1
        last = instant
        return count >= PastRow.many
    }

    private static let many = 5
    /// Nanoseconds.
    private static let longPast: Int64 = 60_000_000_000
}
