internal import Units

/// The fixes that were refused of late, and whether they agree.
struct Doubt: Sendable {
    /// How many outliers agree so far.
    private(set) var count = 0
    private var place: TangentPlane.Place?
    private var first = MonotonicInstant.zero
    private var last = MonotonicInstant.zero
    private var pastCount = 0
    private var past = MonotonicInstant.zero

    /// Counts an outlier.
    ///
    /// - Returns: Whether enough agree that the board must be there.
    mutating func isSettled(by next: TangentPlane.Place, deviation: Double, at instant: MonotonicInstant) -> Bool {
        let interval = max(0, Double(instant.nanoseconds(since: last)) / 1e9)
        if let place, count > 0, agrees(next, with: place, deviation, interval) {
            count += 1
        } else {
            count = 1
            first = instant
        }
        place = next
        last = instant
        let span = Double(instant.nanoseconds(since: first)) / 1e9
        return count >= 3 && span >= Doubt.span || count >= 8 && span >= 4
    }

    private func agrees(
        _ next: TangentPlane.Place, with place: TangentPlane.Place, _ deviation: Double, _ interval: Double
    ) -> Bool {
        let offset = next.earthFixed - place.earthFixed
        return (offset * offset).sum().squareRoot() < 4 * deviation + 15 + 30 * min(interval, 60)
    }

    /// Counts a fix that is long past.
    ///
    /// - Returns: Whether the time of what is known must be wrong: the fixes go on, long before it.
    mutating func isPast(_ instant: MonotonicInstant, knownAt known: MonotonicInstant) -> Bool {
        let age = known.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        guard age.overflow || age.partialValue > Doubt.longPast else { return false }
        pastCount = instant > past || pastCount == 0 ? pastCount + 1 : 1
        past = instant
        return pastCount >= 5
    }

    /// Seconds that three outliers must span.
    private static let span = 8.0
    /// Nanoseconds.
    private static let longPast: Int64 = 60_000_000_000
}
