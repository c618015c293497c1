internal import SextantUnits

/// The point of the track at which a border was crossed, and its time.
struct BorderCrossing: Sendable {
    /// The time of the crossing; nanoseconds since boot.
    var nanoseconds: Int64
    var latitude: Double
    var longitude: Double

    /// - Parameter fraction: The share of the way between the two positions, from 0 to 1.
    init(between before: RegionTrack.Sample, and after: RegionTrack.Sample, at fraction: Double) {
        let span = Double(after.nanoseconds &- before.nanoseconds)
        nanoseconds = before.nanoseconds &+ Int64(saturating: span * fraction, .towardZero)
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
    /// The distance to another crossing near by; metres.
    func distance(to other: BorderCrossing) -> Double {
        LocalFrame.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}

/// A crossing of a border and the return that no position has confirmed.
struct BorderExcursion: Sendable {
    /// The last position before the border was crossed.
    var from: RegionTrack.Sample
    var out: BorderCrossing
    /// The crossing back; nil while the board is beyond the border.
    var back: BorderCrossing?
    /// The greatest depth beyond the border; metres.
    var depth: Double
    /// The number of positions beyond the border.
    var fixes: Int
}

/// A border that is near the board, or that the board seems to have crossed.
struct WatchedBorder: Sendable {
    var slot: Int32
    /// The value of the monitor's `way` up to which this border cannot be crossed; metres.
    var quietUntil: Double
    /// The distance to the border, positive outside, at the track's position number `step`; metres.
    var distance: Double
    var step: Int
    var confirmation = Confirmation()
    /// The latest crossing to the other side.
    var crossing: BorderCrossing?
    var excursion: BorderExcursion?

    init(slot: Int32) {
        self.slot = slot
        quietUntil = -.infinity
        distance = 0
        step = -1
    }

    /// Whether a crossing or an excursion has begun, so that the border must stay watched.
    var isPending: Bool { crossing != nil || excursion != nil }
}

/// A region whose state is not known, or not confirmed since the start.
struct UnsettledRegion: Sendable {
    var slot: Int32
    var isInside = false
    var confirmation = Confirmation()
    var firstSeen: Int64 = 0
}
