internal import SextantUnits

/// A stay that may be a visit, or is one.
struct Stay: Sendable, Equatable {
    /// The place's middle, in the track's frame.
    var middle: LocalPoint
    /// One standard deviation, on either axis, of the fixes about the middle; metres.
    var spread: Double
    /// Seconds of fixes that the middle is computed from.
    var weight: Double
    var arrival: MonotonicInstant
    /// Whether anything is known of the time before the arrival.
    var isArrivalKnown: Bool
    /// The first and the last fix at the place.
    var firstInside: MonotonicInstant
    var lastInside: MonotonicInstant
    /// The number of fixes at the place.
    var insideCount: Int64
    /// The number of newest fixes in a row that were at the place.
    var returnCount = 0
    /// The time since which all fixes are away from the place; nil while they are not.
    var away: MonotonicInstant?
    /// When the place counts as left without more fixes, because the last fixes show a rest elsewhere; nil otherwise.
    var leavesAt: MonotonicInstant?
    /// Whether the place is one that people walk about in.
    var isWide = false
    /// The content of the reported arrival; nil while the stay is not reported.
    var told: ToldVisit?
}

/// The content of a reported arrival, which its departure repeats.
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
