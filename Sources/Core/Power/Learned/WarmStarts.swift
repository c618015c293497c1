/// How likely a start is warm rather than hot, by the age of the ephemeris.
struct WarmStarts: Sendable, Equatable {
    /// The number of starts remembered for each age class of the ephemeris; `warm` counts the warm ones among them.
    private(set) var all: [Double]
    private(set) var warm: [Double]

    /// Begins with the probability that is assumed for each age class.
    init(believing probability: (Int) -> Double) {
        all = Array(repeating: StartStatistics.beliefWeight, count: StartModel.ageCount)
        warm = (0..<StartModel.ageCount).map { StartStatistics.beliefWeight * probability($0) }
    }

    /// Restores stored counts; nil where the values are not valid.
    init?(all: [Double], warm: [Double]) {
        guard all.count == StartModel.ageCount, warm.count == StartModel.ageCount,
            all.allSatisfy({ $0 > 0 && $0 <= StartStatistics.maximumWeight + 1e-6 }),
            zip(all, warm).allSatisfy({ $1 >= 0 && $1 <= $0 + 1e-6 })
        else { return nil }
        (self.all, self.warm) = (all, warm)
    }

    func probability(ofAge age: Int) -> Double { min(1, warm[age] / all[age]) }

    mutating func note(isWarm: Bool, age: Int) {
        all[age] = all[age] * StartStatistics.memory + 1
        warm[age] = warm[age] * StartStatistics.memory + (isWarm ? 1 : 0)
    }
}
