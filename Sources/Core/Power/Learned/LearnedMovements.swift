/// How the board moves, as its gaps between fixes have shown.
struct LearnedMovements: Sendable, Equatable {
    /// Displacement over reference speed times moved time, of gaps that began in motion.
    private(set) var cruising = LogHistogram(memory: cruisingMemory, around: [(1, 1)])
    /// The same of gaps that began in a pause of a movement.
    private(set) var restarting = LogHistogram(memory: cruisingMemory, around: [(1, 1)])
    /// Speeds in units of `boutUnit` of what the sensor reported after a rest: at most, and longer than, `shortBout`.
    private(set) var shortBouts = LogHistogram(
        memory: shortMemory, around: [(0.07, 1), (0.5, 0.5), (2, 0.3)])
    private(set) var longBouts = LogHistogram(memory: longMemory, around: [(0.5, 1), (2.2, 0.5), (5, 0.5)])
    /// Displacements that the sensor did not report, and the seconds it reported rest.
    private(set) var missedMoves = 0.0
    private(set) var watchedRest = 0.0

    static let histogramCount = 4
    /// Metres a second.
    static let boutUnit = 2.0
    /// Seconds; the sensor's own hang-over after one knock is shorter.
    static let shortBout = 45.0
    /// Seconds of watched rest after which the old is forgotten.
    private static let longestWatch = 30.0 * 86_400
    private static let cruisingMemory = 20.0
    private static let shortMemory = 16.0
    private static let longMemory = 12.0

    /// Nothing seen yet: what is believed of anybody.
    init() {}

    /// What was kept, in the order of `histograms`; nil where it cannot be such.
    init?(histograms: [InlineArray<32, Double>], missedMoves: Double, watchedRest: Double) {
        guard histograms.count == LearnedMovements.histogramCount, missedMoves >= 0, missedMoves <= 1e9,
            watchedRest >= 0, watchedRest <= LearnedMovements.longestWatch,
            let cruising = LogHistogram(memory: LearnedMovements.cruisingMemory, weights: histograms[0]),
            let restarting = LogHistogram(memory: LearnedMovements.cruisingMemory, weights: histograms[1]),
            let shortBouts = LogHistogram(memory: LearnedMovements.shortMemory, weights: histograms[2]),
            let longBouts = LogHistogram(memory: LearnedMovements.longMemory, weights: histograms[3])
        else { return nil }
        (self.cruising, self.restarting, self.shortBouts, self.longBouts) =
            (cruising, restarting, shortBouts, longBouts)
        (self.missedMoves, self.watchedRest) = (missedMoves, watchedRest)
    }

    var histograms: [LogHistogram] { [cruising, restarting, shortBouts, longBouts] }

    /// Moves a second that the sensor misses; one in two days to begin with.
    var missedMoveRate: Double { (0.25 + missedMoves) / (43_200 + watchedRest) }

    /// A gap that began in motion: its displacement over reference speed times moved time.
    mutating func noteCruise(_ ratio: Double) { cruising.add(ratio) }

    /// The same of one that began in a pause.
    mutating func noteRestart(_ ratio: Double) { restarting.add(ratio) }

    /// A gap that began at rest: metres a second over so many moved seconds.
    mutating func noteBout(speed: Double, seconds: Double) {
        let ratio = speed / LearnedMovements.boutUnit
        if seconds > LearnedMovements.shortBout { longBouts.add(ratio) } else { shortBouts.add(ratio) }
    }

    /// A gap in which the sensor reported rest for so many seconds, and whether it missed a move.
    mutating func noteWatch(seconds: Double, missedMove: Bool) {
        guard seconds >= 0, seconds.isFinite else { return }
        watchedRest += seconds
        if missedMove { missedMoves += 1 }
        while watchedRest > LearnedMovements.longestWatch {
            watchedRest /= 2
            missedMoves /= 2
        }
    }
}
