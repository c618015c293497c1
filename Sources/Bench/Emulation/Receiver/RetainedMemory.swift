/// What the backup domain keeps while the main supply is off.
struct RetainedMemory: Sendable {
    /// Whether the clock runs and is right.
    var isTimeKnown = false
    var isPositionKnown = false
    /// When the ephemerides were received, in seconds since 1970; nil where there are none.
    var ephemerisTime: Double?
    /// Whether the host gave a time that is wrong by more than it said.
    var isTimeBad = false
}

/// How much of what it needs a receiver knows when it begins to search.
enum StartKind: Int, Sendable, Comparable {
    case hot
    case warm
    case cold
    /// Misled by a wrong time.
    case misled

    static func < (left: StartKind, right: StartKind) -> Bool { left.rawValue < right.rawValue }
}

/// What chance has decided about one search.
struct SearchLuck: Sendable {
    /// Of the logarithm of the search time, in standard deviations.
    var deviation: Double
    /// 0 up to 1: below the share of warm starts at the ephemeris' age, a start is warm.
    var share: Double

    /// - Parameter isEven: Whether it is neither good nor bad luck, every time.
    init(random: inout SplitMix64, isEven: Bool) {
        deviation = random.nextGaussian()
        share = random.nextUnit()
        guard isEven else { return }
        deviation = 0
        share = 0.5
    }
}
