public import GNSS
public import SextantUnits

/// Thins the fixes to the points that the track needs, and gathers the points for writing to the card.
///
/// A point is kept where the board is not where the last point's speed and course would have brought it, so that a
/// straight road costs a point a minute; rest costs a point in a quarter of an hour. Points are written together,
/// because each write wears the card: a killed process loses `patience` of the track at most, a power cut what the
/// system had not written yet.
public struct TrackKeeper: Sendable {
    /// Metres by which the track may differ from the fixes, where the fixes are more accurate than that.
    public static let tolerance = 10.0
    /// The most nanoseconds between points, on the way and at rest.
    static let movingInterval: Int64 = 60_000_000_000
    static let restingInterval: Int64 = 900_000_000_000
    /// The most nanoseconds that a point waits to be written, while fixes come.
    public static let patience: Int64 = 300_000_000_000
    /// The most points that wait to be written.
    public static let capacity = 64

    private var last: TrackedPlace?
    private var waiting: [TrackedPlace] = []
    private var waitingSince: MonotonicInstant?

    public init() { waiting.reserveCapacity(TrackKeeper.capacity) }

    /// Takes a fix that was delivered to a client; a fix without a validated time is ignored.
    public mutating func follow(_ fix: Fix, at instant: MonotonicInstant) {
        guard let place = TrackedPlace(fix), last.map({ isNeeded(place, after: $0) }) ?? true else { return }
        last = place
        waiting.append(place)
        if waitingSince == nil { waitingSince = instant }
    }

    /// Whether it is time to write what was gathered.
    public func isDue(at instant: MonotonicInstant) -> Bool {
        guard let waitingSince else { return false }
        return waiting.count >= TrackKeeper.capacity || instant.nanoseconds(since: waitingSince) >= TrackKeeper.patience
    }

    /// Hands over the gathered points, which the caller must write.
    public mutating func take() -> [TrackedPlace] {
        defer {
            waiting.removeAll(keepingCapacity: true)
            waitingSince = nil
        }
        return waiting
    }

    /// Forgets what was gathered and where the track ended.
    public mutating func forget() { self = TrackKeeper() }

    private func isNeeded(_ place: TrackedPlace, after last: TrackedPlace) -> Bool {
        let elapsed = place.time.nanoseconds &- last.time.nanoseconds
        // The clock was set back: a new track begins.
        guard elapsed >= 0 else { return true }
        if elapsed >= TrackKeeper.restingInterval { return true }
        let point = LocalFrame(latitude: last.latitude, longitude: last.longitude)
            .point(latitude: place.latitude, longitude: place.longitude)
        let tolerance = max(TrackKeeper.tolerance, place.horizontalAccuracy ?? 0)
        let moved = point.distance(to: LocalPoint(east: 0, north: 0))
        if elapsed >= TrackKeeper.movingInterval, moved > tolerance { return true }
        return point.distance(to: expected(after: last, seconds: Double(elapsed) * 1e-9)) > tolerance
    }

    /// Where the board would be at the last point's speed and course; metres from the last point.
    private func expected(after last: TrackedPlace, seconds: Double) -> LocalPoint {
        guard let speed = last.speed, let course = last.course else { return LocalPoint(east: 0, north: 0) }
        let (sine, cosine) = Trigonometry.sineAndCosine(course / Trigonometry.degreesPerRadian)
        return LocalPoint(east: speed * seconds * sine, north: speed * seconds * cosine)
    }
}
