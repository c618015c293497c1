public import GNSS
public import SextantUnits

/// Thins the fixes to the points that the track needs, and gathers the points for writing to the SD card.
///
/// A point is kept if the board is not where the last point's speed and course lead, and otherwise once a minute on the
/// way and every quarter of an hour at rest. Points are written together, because each write wears the SD card: if the
/// process is killed, at most the track of the last `longestWaitNanoseconds` is lost, and in a power cut also what the
/// system had not written yet.
public struct TrackKeeper: Sendable {
    /// Metres by which the track may differ from the fixes, where the fixes are more accurate than that.
    public static let tolerance = 10.0
    /// The longest time in nanoseconds between two points while the board moves, and while it is at rest
    /// (`restingInterval`).
    static let movingInterval: Int64 = 60_000_000_000
    static let restingInterval: Int64 = 900_000_000_000
    /// The longest time in nanoseconds that a point waits to be written, as long as fixes come.
    public static let longestWaitNanoseconds: Int64 = 300_000_000_000
    /// The largest number of points that wait to be written.
    public static let capacity = 64

    /// The receiver's time keeps pace with the board's clock if the times that both measure between two fixes differ by
    /// at most this many nanoseconds plus a thousandth of the time between the fixes.
    static let pace: Int64 = 10_000_000_000
    private static let day: Int64 = 86_400_000_000_000

    private var last: TrackedPlace?
    /// The times of the last fix, by the receiver and by the board's clock.
    private var before: (time: UTCInstant, instant: MonotonicInstant)?
    /// Nanoseconds since the last point during which the receiver's time kept pace with the board's clock.
    private var steady: Int64 = 0
    private var waiting: [TrackedPlace] = []
    private var waitingSince: MonotonicInstant?
    private var hasSlept = false

    public init() { waiting.reserveCapacity(TrackKeeper.capacity) }

    /// Handles a fix that was delivered to a client; a fix without a validated time is ignored.
    public mutating func found(_ fix: Fix, at instant: MonotonicInstant) {
        guard var place = TrackedPlace(fix) else { return }
        steady += pace(to: place.time, at: instant)
        before = (place.time, instant)
        guard last.map({ isNeeded(place, after: $0) }) ?? true else { return }
        (place.steady, steady) = (steady, 0)
        (place.isAfterSleep, hasSlept) = (hasSlept, false)
        last = place
        waiting.append(place)
        if waitingSince == nil { waitingSince = instant }
    }

    /// Takes note that the host has slept, so that the track is not drawn from the last point to the next.
    public mutating func slept() { (last, hasSlept) = (nil, true) }

    /// The nanoseconds since the last fix by the board's clock; 0 where the receiver's time did not keep pace with this
    /// clock.
    private func pace(to time: UTCInstant, at instant: MonotonicInstant) -> Int64 {
        guard let before else { return 0 }
        let elapsed = instant.nanoseconds(since: before.instant)
        let (told, overflow) = time.nanoseconds.subtractingReportingOverflow(before.time.nanoseconds)
        guard elapsed >= 0, !overflow else { return 0 }
        let (error, isFar) = told.subtractingReportingOverflow(elapsed)
        return !isFar && error.magnitude <= TrackKeeper.pace + elapsed / 1000 ? min(elapsed, TrackKeeper.day) : 0
    }

    /// Whether it is time to write the gathered points.
    public func isDue(at instant: MonotonicInstant) -> Bool {
        guard let waitingSince else { return false }
        return waiting.count >= TrackKeeper.capacity
            || instant.nanoseconds(since: waitingSince) >= TrackKeeper.longestWaitNanoseconds
    }

    /// Hands over the gathered points, which the caller must write.
    public mutating func take() -> [TrackedPlace] {
        // Without this return, `removeAll` would allocate the empty array's capacity anew at each call.
        guard !waiting.isEmpty else { return [] }
        defer {
            waiting.removeAll(keepingCapacity: true)
            waitingSince = nil
        }
        return waiting
    }

    /// Forgets the gathered points, and the last point of the track.
    public mutating func forget() { self = TrackKeeper() }

    private func isNeeded(_ place: TrackedPlace, after last: TrackedPlace) -> Bool {
        let elapsed = place.time.nanoseconds &- last.time.nanoseconds
        // The receiver's time went back: a new track begins.
        guard elapsed >= 0 else { return true }
        if elapsed >= TrackKeeper.restingInterval { return true }
        let point = LocalFrame(latitude: last.latitude, longitude: last.longitude)
            .point(latitude: place.latitude, longitude: place.longitude)
        let tolerance = max(TrackKeeper.tolerance, place.horizontalAccuracy ?? 0)
        let moved = point.distance(to: LocalPoint(east: 0, north: 0))
        if elapsed >= TrackKeeper.movingInterval, moved > tolerance { return true }
        return point.distance(to: expected(after: last, seconds: Double(elapsed) * 1e-9)) > tolerance
    }

    /// Where the board would be with the last point's speed and course; metres east and north of the last point.
    private func expected(after last: TrackedPlace, seconds: Double) -> LocalPoint {
        guard let speed = last.speed, let course = last.course else { return LocalPoint(east: 0, north: 0) }
        let (sine, cosine) = Trigonometry.sineAndCosine(course / Trigonometry.degreesPerRadian)
        return LocalPoint(east: speed * seconds * sine, north: speed * seconds * cosine)
    }
}
