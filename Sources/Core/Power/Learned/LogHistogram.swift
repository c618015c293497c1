/// A distribution of positive numbers in bins of an eighth of an octave, in which old samples fade.
///
/// The bins run from 1/16 to 16; a number outside goes into the first or the last bin. The distribution begins with a
/// prior that counts as `beliefWeight` samples. All samples have the same weight until there are `memory` of them; from
/// then on the oldest lose weight.
struct LogHistogram: Sendable, Equatable {
    static let binCount = 64

    /// The lower edge of each bin; the ratio from one to the next is 2^(1/8).
    static let edges: InlineArray<64, Double> = {
        let eighth = 2.0.squareRoot().squareRoot().squareRoot()
        var edges = InlineArray<64, Double>(repeating: 0)
        var edge = 1.0 / 16
        for index in edges.indices {
            edges[index] = edge
            edge *= eighth
        }
        return edges
    }()

    static let middles: InlineArray<64, Double> = {
        var middles = edges
        for index in middles.indices { middles[index] = edges[index] * toMiddle }
        return middles
    }()

    /// The ratio of a bin's middle to its lower edge.
    private static let toMiddle = 2.0.squareRoot().squareRoot().squareRoot().squareRoot()
    /// The number of samples that the prior counts as.
    static let beliefWeight = 8.0

    /// The share of the samples in each bin; all shares sum to 1.
    ///
    /// An array, not stored inline, so that copies are cheap: the policy, which holds ten histograms, is copied at many
    /// calls.
    private(set) var weights: [Double]
    /// The number of samples in the distribution, the prior included; at most `memory`.
    private(set) var count: Double
    private let memory: Double

    /// Begins with a prior, before any sample was seen.
    ///
    /// - Parameters:
    ///   - memory: The largest number of samples that the distribution stands for; more than `beliefWeight`.
    ///   - prior: The prior's value at a bin's middle, in any scale.
    init(memory: Double, prior: (Double) -> Double) {
        self.memory = memory
        count = LogHistogram.beliefWeight
        weights = [Double](repeating: 0, count: LogHistogram.binCount)
        var sum = 0.0
        for index in weights.indices {
            weights[index] = prior(LogHistogram.middles[index])
            sum += weights[index]
        }
        for index in weights.indices { weights[index] /= sum }
    }

    /// Restores a stored histogram; nil where the values are not valid.
    ///
    /// - Parameters:
    ///   - memory: The largest number of samples that the distribution stands for.
    ///   - count: The number of samples that it stands for now.
    ///   - weights: The share of each bin.
    init?(memory: Double, count: Double, weights: [Double]) {
        guard weights.count == LogHistogram.binCount else { return nil }
        var sum = 0.0
        for index in weights.indices {
            guard weights[index] >= 0 else { return nil }
            sum += weights[index]
        }
        guard abs(sum - 1) < 1e-6, count >= LogHistogram.beliefWeight, count <= memory else { return nil }
        self.memory = memory
        self.count = count
        self.weights = weights
    }

    /// Begins with a prior that has one or more centres, each with its weight.
    ///
    /// - Parameter sharpness: One octave from a centre, the prior has fallen to 1 / (1 + sharpness).
    init(memory: Double, around centres: [(centre: Double, weight: Double)], sharpness: Double = 100) {
        self.init(memory: memory) { middle in
            var sum = 0.0
            for (centre, weight) in centres {
                let octaves = LogHistogram.octaves(middle / centre)
                sum += weight / (1 + sharpness * octaves * octaves * octaves * octaves)
            }
            return sum
        }
    }

    /// The logarithm of a ratio to the base 2, accurate to a few thousandths.
    private static func octaves(_ ratio: Double) -> Double {
        let part = ratio.significand - 1
        // A polynomial for log2(1 + x) on 0...1, exact at both ends: a prior needs no more accuracy.
        return Double(ratio.exponent) + part * (1.4425 + part * (-0.7213 + part * (0.4 - part * 0.1212)))
    }

    /// Learns a sample; a value that is not a positive number is ignored.
    mutating func add(_ value: Double) {
        guard value > 0 else { return }
        count = min(count + 1, memory)
        let kept = 1 - 1 / count
        for index in weights.indices { weights[index] *= kept }
        weights[LogHistogram.bin(of: value)] += 1 - kept
    }

    private static func bin(of value: Double) -> Int {
        var (bin, end) = (0, binCount)
        while end - bin > 1 {
            let middle = (bin + end) / 2
            if value < edges[middle] { end = middle } else { bin = middle }
        }
        return bin
    }

    /// The number below which the given share (0 to 1) of the samples lies, exact to a bin.
    func quantile(_ share: Double) -> Double {
        var sum = 0.0
        for index in weights.indices {
            sum += weights[index]
            if sum >= share { return LogHistogram.middles[index] }
        }
        return LogHistogram.middles[LogHistogram.binCount - 1]
    }

    /// The share of samples over `value`; within a bin they are taken as evenly spread.
    func share(over value: Double) -> Double {
        guard value > LogHistogram.edges[0] else { return 1 }
        let bin = LogHistogram.bin(of: value)
        var sum = 0.0
        for index in bin + 1..<max(bin + 1, LogHistogram.binCount) { sum += weights[index] }
        let (lower, upper) = (LogHistogram.edges[bin], LogHistogram.upperEdge(bin))
        return sum + weights[bin] * max(0, min(1, (upper - value) / (upper - lower)))
    }

    static func upperEdge(_ index: Int) -> Double {
        index + 1 < binCount ? edges[index + 1] : edges[index] * toMiddle * toMiddle
    }
}
