internal import Units

/// A point of the way on which a border was crossed.
struct BorderCrossing: Sendable {
    /// Since boot.
    var nanoseconds: Int64
    var latitude: Double
    var longitude: Double

    /// - Parameter fraction: Of the way between two positions, from 0 to 1.
    init(between before: RegionTrack.Sample, and after: RegionTrack.Sample, at fraction: Double) {
        let span = Double(after.nanoseconds &- before.nanoseconds)
        nanoseconds = before.nanoseconds &+ Int64(span * fraction)
        let east = LocalFrame.wrapped(after.place.longitude - before.place.longitude)
        latitude = before.place.latitude + (after.place.latitude - before.place.latitude) * fraction
        longitude = LocalFrame.wrapped(before.place.longitude + east * fraction)
    }

    init(at sample: RegionTrack.Sample) {
        nanoseconds = sample.nanoseconds
        latitude = sample.place.latitude
        longitude = sample.place.longitude
    }
}

extension BorderCrossing {
    /// Metres, for crossings that are near.
    func distance(to other: BorderCrossing) -> Double {
        LocalFrame.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}

/// A way across a border and back that is not confirmed.
struct BorderExcursion: Sendable {
    /// Where the board was last on this side before.
    var from: RegionTrack.Sample
    var out: BorderCrossing
    /// Nil while it is beyond.
    var back: BorderCrossing?
    /// Metres beyond the border.
    var depth: Double
    /// How many positions were beyond.
    var fixes: Int
}

/// A region whose border is near, or on whose other side the board seems to be.
struct WatchedBorder: Sendable {
    var slot: Int32
    /// The reading of the way-meter up to which nothing can happen here.
    var quietUntil: Double
    /// Metres, positive outside, at the track's position of that number.
    var distance: Double
    var step: Int
    var confirmation = Confirmation()
    /// The latest one to the other side.
    var crossing: BorderCrossing?
    var excursion: BorderExcursion?

    init(slot: Int32) {
        self.slot = slot
        quietUntil = -.infinity
        distance = 0
        step = -1
    }

    /// Whether something has begun here that must not be forgotten.
    var isPending: Bool { crossing != nil || excursion != nil }
}

/// A region whose standing is not known, or not since the start.
struct UnsettledRegion: Sendable {
    var slot: Int32
    var isInside = false
    var confirmation = Confirmation()
    var firstSeen: Int64 = 0
}
