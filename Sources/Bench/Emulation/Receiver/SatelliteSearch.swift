import SextantUnits

/// The kind of a receiver's start, which depends on what the receiver knows when its search begins.
enum StartKind: Int, Sendable, Comparable {
    case hot
    case warm
    case cold
    /// The host has given a wrong time, which misleads the search.
    case misled

    static func < (left: StartKind, right: StartKind) -> Bool { left.rawValue < right.rawValue }
}

/// One search for satellites, with the random numbers that determine how long it takes.
struct SatelliteSearch: Sendable {
    /// The instant of the bench's clock, in nanoseconds, at which the search began.
    let since: Int64
    var kind = StartKind.cold
    /// The deviation of the search time's logarithm from that of the median search time, in standard deviations.
    let deviation: Double
    /// A random number from 0 up to 1; a start is warm instead of hot if this is less than the probability of a warm
    /// start at the ephemerides' age.
    let share: Double

    /// Draws the random numbers of one search.
    ///
    /// - Parameter isEven: Whether to use the medians instead of random numbers.
    init(since: Int64, random: inout SplitMix64, isEven: Bool) {
        self.since = since
        let drawn = (deviation: random.nextGaussian(), share: random.nextUnit())
        (deviation, share) = isEven ? (0, 0.5) : drawn
    }
}
