/// The memory that the backup domain keeps while the main supply is off.
struct RetainedMemory: Sendable {
    /// Whether the clock runs and is right.
    var isTimeKnown = false
    var isPositionKnown = false
    /// When the ephemerides were received, in seconds since 1970; nil where there are none.
    var ephemerisTime: Double?
    /// Whether the host gave a time that is wrong by more than it said.
    var isTimeBad = false
}

/// The kind of a start, by how much of what it needs the receiver knows when its search begins.
enum StartKind: Int, Sendable, Comparable {
    case hot
    case warm
    case cold
    /// The receiver is misled by a wrong time.
    case misled

    static func < (left: StartKind, right: StartKind) -> Bool { left.rawValue < right.rawValue }
}

/// The random draws that decide one search.
struct SearchLuck: Sendable {
    /// The deviation of the logarithm of the search time, in standard deviations.
    var deviation: Double
    /// A random number from 0 up to 1; a start is warm where it lies below the share of warm starts at the ephemeris'
    /// age.
    var share: Double

    /// Draws the luck of one search.
    ///
    /// - Parameter isEven: Whether the luck is neither good nor bad, every time.
    init(random: inout SplitMix64, isEven: Bool) {
        deviation = random.nextGaussian()
        share = random.nextUnit()
        guard isEven else { return }
        deviation = 0
        share = 0.5
    }
}
