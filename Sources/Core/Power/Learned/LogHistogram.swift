/// A distribution of positive numbers, in bins that each span a quarter of an octave, that forgets.
///
/// Its bins run from 1/16 to 16; what lies outside goes into the first or the last. A new sample takes its weight from
/// all others, so that about the last `memory` samples count.
struct LogHistogram: Sendable, Equatable {
    static let binCount = 32

    /// The middle of each bin; the ratio from one to the next is 2^(1/4).
    static let middles: InlineArray<32, Double> = {
        let quarter = 2.0.squareRoot().squareRoot()
        var middles = InlineArray<32, Double>(repeating: 0)
        var middle = quarter.squareRoot() / 16
        for index in middles.indices {
            middles[index] = middle
            middle *= quarter
        }
        return middles
    }()

    /// From a bin's middle to its upper edge.
    private static let toEdge = 2.0.squareRoot().squareRoot().squareRoot()

    /// The share of each bin; they sum to 1.
    private(set) var weights: InlineArray<32, Double>
    private let kept: Double

    /// Begins with what is believed before anything was seen.
    ///
    /// - Parameters:
    ///   - memory: Samples after which a sample's weight has fallen to a third; over 1.
    ///   - prior: The belief at a bin's middle, in any scale.
    init(memory: Double, prior: (Double) -> Double) {
        kept = 1 - 1 / memory
        weights = InlineArray(repeating: 0)
        var sum = 0.0
        for index in weights.indices {
            weights[index] = prior(LogHistogram.middles[index])
            sum += weights[index]
        }
        for index in weights.indices { weights[index] /= sum }
    }

    /// What was kept; nil where it cannot be one.
    ///
    /// - Parameters:
    ///   - memory: As for a new one.
    ///   - weights: The share of each bin.
    init?(memory: Double, weights: InlineArray<32, Double>) {
        var sum = 0.0
        for index in weights.indices {
            guard weights[index] >= 0 else { return nil }
            sum += weights[index]
        }
        guard abs(sum - 1) < 1e-6 else { return nil }
        kept = 1 - 1 / memory
        self.weights = weights
    }

    /// A belief around one or more centres, each with its weight; half an octave off, a third is left.
    init(memory: Double, around centres: [(centre: Double, weight: Double)]) {
        self.init(memory: memory) { middle in
            var sum = 0.0
            for (centre, weight) in centres {
                let octaves = LogHistogram.octaves(middle / centre)
                sum += weight / (1 + 8 * octaves * octaves * octaves * octaves)
            }
            return sum
        }
    }

    /// The distance of a ratio from 1 in octaves, to a few thousandths.
    private static func octaves(_ ratio: Double) -> Double {
        let part = ratio.significand - 1
        // A polynomial for log2(1 + x) on 0...1, exact at both ends: a belief needs no more.
        return Double(ratio.exponent) + part * (1.4425 + part * (-0.7213 + part * (0.4 - part * 0.1212)))
    }

    /// Learns a sample; what is no positive number is none.
    mutating func add(_ value: Double) {
        guard value > 0 else { return }
        for index in weights.indices { weights[index] *= kept }
        weights[LogHistogram.bin(of: value)] += 1 - kept
    }

    private static func bin(of value: Double) -> Int {
        for index in middles.indices where value < middles[index] * toEdge { return index }
        return binCount - 1
    }

    /// The number below which this share of the samples lies, to a bin.
    func quantile(_ share: Double) -> Double {
        var sum = 0.0
        for index in weights.indices {
            sum += weights[index]
            if sum >= share { return LogHistogram.middles[index] }
        }
        return LogHistogram.middles[LogHistogram.binCount - 1]
    }

    /// The share of samples over `value`.
    func share(over value: Double) -> Double {
        var sum = 0.0
        for index in weights.indices where LogHistogram.middles[index] > value { sum += weights[index] }
        return sum
    }

    /// The mean of `max(0, whole - part / sample)`: how long, of `whole` seconds, something that needs `part` at
    /// speed 1 is over, where the samples are speeds.
    func meanExcess(of whole: Double, over part: Double) -> Double {
        var sum = 0.0
        for index in weights.indices where weights[index] > 1e-4 {
            let excess = whole - part / LogHistogram.middles[index]
            if excess > 0 { sum += weights[index] * excess }
        }
        return sum
    }

    static func == (left: LogHistogram, right: LogHistogram) -> Bool {
        for index in left.weights.indices where left.weights[index] != right.weights[index] { return false }
        return left.kept == right.kept
    }
}
