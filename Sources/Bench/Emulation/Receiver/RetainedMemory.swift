import SextantUnits

/// The receiver's memory that a backup supply keeps while the main supply is off.
struct RetainedMemory: Sendable {
    /// Whether the receiver's real-time clock runs and shows a time.
    var isTimeKnown = false
    var isPositionKnown = false
    /// The time at which the ephemerides were received, in seconds since 1970; nil if there are none.
    var ephemerisTime: Double?
    /// Whether the host has given a time whose error exceeds its stated accuracy.
    var isTimeBad = false
}

/// The kind of a receiver's start, which depends on what the receiver knows when its search begins.
enum StartKind: Int, Sendable, Comparable {
    case hot
    case warm
    case cold
    /// The host has given a wrong time, which misleads the search.
    case misled

    static func < (left: StartKind, right: StartKind) -> Bool { left.rawValue < right.rawValue }
}

/// The random numbers that determine how long one search takes.
struct SearchLuck: Sendable {
    /// The deviation of the search time's logarithm from that of the median search time, in standard deviations.
    var deviation: Double
    /// A random number from 0 up to 1; a start is warm instead of hot if this is less than the probability of a warm
    /// start at the ephemerides' age.
    var share: Double

    /// Draws the random numbers of one search.
    ///
    /// - Parameter isEven: Whether to use the medians instead of random numbers.
    init(random: inout SplitMix64, isEven: Bool) {
        deviation = random.nextGaussian()
        share = random.nextUnit()
        guard isEven else { return }
        deviation = 0
        share = 0.5
    }
}
