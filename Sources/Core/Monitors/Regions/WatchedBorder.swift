internal import SextantUnits

/// The point of the track at which a border was crossed, and its time.
struct BorderCrossing: Sendable {
    /// The time of the crossing; nanoseconds since boot.
    var nanoseconds: Int64
    var latitude: Double
    var longitude: Double

    /// - Parameter fraction: Where between the two positions the border was crossed, from 0 at the first to 1 at the
    ///   second.
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

/// A crossing of a border and the return, where no position beyond the border has confirmed the crossing yet.
struct BorderExcursion: Sendable {
    /// The last position before the border was crossed.
    var from: RegionTrack.Sample
    var out: BorderCrossing
    /// The crossing back; nil while the board is beyond the border.
    var back: BorderCrossing?
    /// The greatest distance that the board's track was beyond the border; metres.
    var depth: Double
    /// The number of positions beyond the border.
    var fixes: Int
}

/// A border that is near the board, or that the board seems to have crossed.
struct WatchedBorder: Sendable {
    var slot: Int32
    /// The length of the board's track (the monitor's `way`) up to which this border cannot be crossed; metres.
    var quietUntil: Double
    /// The distance to the border in metres, positive outside, at the last position for which it was computed; `step`
    /// is the number of that position.
    var distance: Double
    var step: Int
    var confirmation = Confirmation()
    /// The latest crossing of the border while the board seems to be on its far side; nil while it does not.
    var crossing: BorderCrossing?
    var excursion: BorderExcursion?

    init(slot: Int32) {
        self.slot = slot
        quietUntil = -.infinity
        distance = 0
        step = -1
    }

    /// Whether the border must stay watched because the board has crossed it, or crossed it and returned, and the
    /// crossing is not confirmed yet.
    var isPending: Bool { crossing != nil || excursion != nil }
}

/// A region for which no fix since the start has shown yet whether the board is inside.
struct UnsettledRegion: Sendable {
    var slot: Int32
    var isInside = false
    var confirmation = Confirmation()
    var firstSeen: Int64 = 0
}
