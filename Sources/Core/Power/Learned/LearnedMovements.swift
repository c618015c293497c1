/// Statistics of the board's movements, from its displacements between fixes.
struct LearnedMovements: Sendable, Equatable {
    /// Speeds of displacements that began while the board moved, each divided by the speed expected then: the mean of
    /// the fix's speed and the movement's mean speed.
    private(set) var cruising = LogHistogram(memory: 60, around: [(0.9, 1)])
    /// Speeds of displacements that began in a short stop within a movement, divided by the movement's mean speed.
    private(set) var restarting = LogHistogram(memory: 60, around: [(0.9, 1)])
    /// Speeds of displacements that began at a rest, in units of 2 m/s (`speedUnit`).
    private(set) var departures = LogHistogram(
        memory: 16, around: [(0.07, 0.6), (0.5, 1), (2.2, 0.6), (5, 0.4)], sharpness: 8)
    /// Speeds of displacements that began when fixes showed rest but the motion sensor felt motion, mostly because of a
    /// shock; in units of 2 m/s (`speedUnit`).
    private(set) var knocks = LogHistogram(memory: 16, around: [(0.07, 1), (0.4, 0.3), (2, 0.05)], sharpness: 8)
    /// Speeds of all displacements that did not begin at a rest, in units of 2 m/s (`speedUnit`); a movement that
    /// changes its kind may take any of these speeds.
    private(set) var speeds = LogHistogram(
        memory: 100, around: [(0.5, 1), (1, 0.5), (2.2, 0.3), (5, 0.2)], sharpness: 8)
    /// Whether the motion sensor has ever reported a movement that fixes confirmed.
    var isSensorProven = false

    static let histogramCount = 5
    /// The speed, in metres per second, by which speeds are divided before they enter a histogram of absolute speeds.
    static let speedUnit = 2.0

    /// Begins with the speeds that are assumed for every board before it has moved.
    init() {}

    /// Restores stored histograms, in the order of `histograms`; nil where they are not valid.
    init?(histograms kept: [(count: Double, weights: [Double])], isSensorProven: Bool) {
        guard kept.count == LearnedMovements.histogramCount,
            let cruising = LogHistogram(memory: 60, count: kept[0].count, weights: kept[0].weights),
            let restarting = LogHistogram(memory: 60, count: kept[1].count, weights: kept[1].weights),
            let departures = LogHistogram(memory: 16, count: kept[2].count, weights: kept[2].weights),
            let knocks = LogHistogram(memory: 16, count: kept[3].count, weights: kept[3].weights),
            let speeds = LogHistogram(memory: 100, count: kept[4].count, weights: kept[4].weights)
        else { return nil }
        (self.cruising, self.restarting, self.departures, self.knocks, self.speeds) =
            (cruising, restarting, departures, knocks, speeds)
        self.isSensorProven = isSensorProven
    }

    var histograms: [LogHistogram] { [cruising, restarting, departures, knocks, speeds] }

    /// The state of the board in which a displacement began.
    enum Beginning: Sendable, Equatable {
        case moving
        /// A stop within a movement.
        case pausing
        /// The board was at rest, even if the motion sensor has just reported the end of that rest.
        case resting
        /// A fix showed rest while the motion sensor felt motion.
        case knocked
    }

    /// Learns from a displacement of `metres` in `seconds` of movement; `reference` is the speed that was expected at
    /// its beginning, in metres per second.
    mutating func note(_ beginning: Beginning, metres: Double, seconds: Double, reference: Double) {
        let speed = metres / seconds
        switch beginning {
        case .moving: cruising.add(speed / reference)
        case .pausing: restarting.add(speed / reference)
        case .resting: return departures.add(speed / LearnedMovements.speedUnit)
        case .knocked: return knocks.add(speed / LearnedMovements.speedUnit)
        }
        speeds.add(speed / LearnedMovements.speedUnit)
    }
}
