import SextantUnits

/// The memory that the backup domain keeps while the main supply is off.
struct RetainedMemory: Sendable {
    /// Whether the clock runs and shows the right time.
    var isTimeKnown = false
    var isPositionKnown = false
    /// The time at which the ephemerides were received, in seconds since 1970; nil if there are none.
    var ephemerisTime: Double?
    /// Whether the host gave a time that is wrong by more than its stated accuracy.
    var isTimeBad = false
}

/// The kind of a start, which depends on what the receiver knows when its search begins.
enum StartKind: Int, Sendable, Comparable {
    case hot
    case warm
    case cold
    /// The receiver is misled by a wrong time.
    case misled

    static func < (left: StartKind, right: StartKind) -> Bool { left.rawValue < right.rawValue }
}

/// The random numbers that determine the time of one search.
struct SearchLuck: Sendable {
    /// The deviation of the logarithm of the search time, in standard deviations.
    var deviation: Double
    /// A random number from 0 up to 1; a start is warm if it is less than the share of warm starts at the ephemerides'
    /// age.
    var share: Double

    /// Draws the random numbers of one search.
    ///
    /// - Parameter isEven: Whether to take the median instead of random numbers.
    init(random: inout SplitMix64, isEven: Bool) {
        deviation = random.nextGaussian()
        share = random.nextUnit()
        guard isEven else { return }
        deviation = 0
        share = 0.5
    }
}
