internal import Units

/// How fast an activity has moved the board: counts of displacement speeds in three bins an octave.
struct SpeedHistogram: Sendable, Equatable {
    /// A bin below 0.25 m/s, 27 from there to 128 m/s, and one above.
    static let binCount = 29
    private static let lowest = 0.25
    private static let binsPerOctave = 3.0
    /// The most counts in all; then all are halved, so that the old is forgotten.
    static let maximumCount = 1000
    /// How many speeds the belief counts for.
    private static let beliefCount = 20.0

    private(set) var bins: [UInt16]

    init() { bins = Array(repeating: 0, count: SpeedHistogram.binCount) }

    /// What was kept; nil where it cannot be one.
    init?(bins: [UInt16]) {
        guard bins.count == SpeedHistogram.binCount,
            bins.reduce(0, { $0 + Int($1) }) <= SpeedHistogram.maximumCount
        else { return nil }
        self.bins = bins
    }

    private var count: Int { bins.reduce(0) { $0 + Int($1) } }

    mutating func note(_ speed: Double) {
        guard speed >= 0, speed.isFinite else { return }
        if count == SpeedHistogram.maximumCount { for bin in bins.indices { bins[bin] /= 2 } }
        bins[SpeedHistogram.bin(of: speed)] += 1
    }

    /// The speed that a part of all stays below, in m/s: between what was seen and what is believed, by their counts.
    ///
    /// - Parameter believed: The speed below which 95 % stay, before any was seen.
    func quantile(_ part: Double, believed: Double) -> Double {
        let clamped = min(0.999, max(0, part))
        // Rayleigh's distribution: two components of a velocity, each normal.
        let rank = Logarithm.natural(1 - clamped) / Logarithm.natural(0.05)
        let seen = Double(count)
        let belief = believed * rank.squareRoot()
        guard seen > 0 else { return belief }
        return (belief * SpeedHistogram.beliefCount + seenQuantile(clamped) * seen)
            / (SpeedHistogram.beliefCount + seen)
    }

    /// The upper end of the bin that the quantile falls in: rather too fast than too slow.
    private func seenQuantile(_ part: Double) -> Double {
        let wanted = part * Double(count)
        var below = 0.0
        for bin in bins.indices {
            below += Double(bins[bin])
            if below >= wanted, below > 0 { return SpeedHistogram.upperEnd(of: bin) }
        }
        return SpeedHistogram.upperEnd(of: SpeedHistogram.binCount - 1)
    }

    private static func bin(of speed: Double) -> Int {
        var bin = 0
        while bin < binCount - 1, speed >= upperEnd(of: bin) { bin += 1 }
        return bin
    }

    private static func upperEnd(of bin: Int) -> Double {
        lowest * Logarithm.exponential(Double(bin) / binsPerOctave * Logarithm.natural(2))
    }
}
