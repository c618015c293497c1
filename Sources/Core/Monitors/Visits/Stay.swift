internal import SextantUnits

/// A stay of the board at one place, which may become a visit or is one already.
struct Stay: Sendable, Equatable {
    /// The middle of the place, in metres on the map of recent fixes.
    var middle: LocalPoint
    /// The standard deviation, on either axis, of the fixes about the place's middle; metres.
    var spread: Double
    /// The total time in seconds that the fixes at the place cover; the place's middle is computed from these fixes.
    var weight: Double
    var arrival: MonotonicInstant
    /// Whether anything is known of the time before the arrival; if not, the stay may have begun earlier.
    var isArrivalKnown: Bool
    /// The times of the first and the last fix at the place.
    var firstInside: MonotonicInstant
    var lastInside: MonotonicInstant
    /// The number of fixes at the place.
    var insideCount: Int64
    /// How many of the newest fixes were at the place without a fix elsewhere between them.
    var returnCount = 0
    /// Since when all fixes are away from the place; nil where the last fixes are at the place.
    var away: MonotonicInstant?
    /// When the place counts as left if no more fixes come, because the last fixes show a rest elsewhere; nil if they
    /// show none.
    var leavesAt: MonotonicInstant?
    /// Whether people walk about within the place, such as a park, so that it has a larger radius.
    var isWide = false
    /// The content of the reported arrival; nil while the stay is not reported.
    var told: ToldVisit?
}

/// The content of a reported arrival, which its departure repeats.
struct ToldVisit: Sendable, Equatable {
    var visit: UInt64
    var place: UInt64
    /// The latitude of the place's middle in degrees.
    var latitude: Double
    var longitude: Double
    /// The radius of the place in metres.
    var radius: Double
    var confidence: Double
}
