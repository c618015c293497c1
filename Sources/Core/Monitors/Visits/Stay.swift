internal import Units

/// A stay that may be a visit, or is one.
struct Stay: Sendable, Equatable {
    /// The place's middle, in the track's frame.
    var middle: LocalPoint
    /// One standard deviation of either axis of how the fixes scatter about it; metres.
    var spread: Double
    /// Seconds of fixes that the middle rests on.
    var weight: Double
    var arrival: MonotonicInstant
    /// Whether anything is known of before the arrival.
    var isArrivalKnown: Bool
    /// The first and the last fix at the place.
    var firstInside: MonotonicInstant
    var lastInside: MonotonicInstant
    /// How many fixes were at the place, or near one that was.
    var insideCount: Int
    /// How many fixes in a row were at it, at the end.
    var returnCount = 0
    /// Since when all fixes are away from it.
    var away: MonotonicInstant?
    /// When it has been left even if no more fixes come, since the last ones are a rest elsewhere.
    var leavesAt: MonotonicInstant?
    /// The place is one that is walked about in.
    var isWide = false
    /// What was told of it; nil while it was not.
    var told: ToldVisit?
}

/// What an arrival said, for its departure to say the same.
struct ToldVisit: Sendable, Equatable {
    var visit: UInt64
    var place: UInt64
    /// Degrees.
    var latitude: Double
    var longitude: Double
    /// Metres.
    var radius: Double
    var confidence: Double
}
