import Receivers
import Testing

@testable import Power

@Suite("Log histogram")
struct LogHistogramTests {
    private static let fresh = LogHistogram(memory: 20, around: [(1, 1)])

    private static func sum(_ histogram: LogHistogram) -> Double {
        histogram.weights.indices.reduce(0) { $0 + histogram.weights[$1] }
    }

    @Test func `the initial distribution lies around its centre and sums to one`() {
        let fresh = Self.fresh
        #expect(abs(Self.sum(fresh) - 1) < 1e-12)
        #expect((0.8...1.2).contains(fresh.quantile(0.5)))
        #expect(fresh.quantile(0.1) < 0.9 && fresh.quantile(0.9) > 1.1)
        #expect(abs(fresh.share(over: 1) - 0.5) < 0.1)
    }

    @Test func `bins run from a sixteenth to sixteen, an eighth of an octave each`() {
        #expect(LogHistogram.edges[0] == 1.0 / 16 && abs(LogHistogram.middles[0] * 16 - 1.0443) < 1e-4)
        #expect(abs(LogHistogram.middles[8] / LogHistogram.middles[0] - 2) < 1e-12)
        #expect(abs(LogHistogram.middles[63] / 16 - 0.9576) < 1e-3)
    }

    @Test func `early samples have equal weight, so that a few of them outweigh the initial distribution`() {
        var histogram = Self.fresh
        for _ in 0..<8 { histogram.add(4) }
        #expect(abs(histogram.share(over: 3) - 0.5) < 0.01 && histogram.count == 16)
        for _ in 0..<8 { histogram.add(4) }
        #expect(histogram.count == 20)
    }

    @Test func `within a bin the samples are evenly spread`() {
        var histogram = Self.fresh
        for _ in 0..<500 { histogram.add(4.1) }
        let (lower, upper) = (LogHistogram.edges[48], LogHistogram.edges[49])
        #expect(abs(lower - 4) < 1e-9)
        #expect(abs(histogram.share(over: (lower + upper) / 2) - 0.5) < 1e-6)
        #expect(abs(histogram.share(over: lower) - 1) < 1e-6 && histogram.share(over: upper) < 1e-6)
        #expect(histogram.share(over: 0) == 1 && histogram.share(over: 100) == 0)
    }

    @Test func `sixty samples outweigh the initial distribution and older samples`() {
        var histogram = Self.fresh
        for _ in 0..<60 { histogram.add(4) }
        #expect((3.6...4.4).contains(histogram.quantile(0.5)) && histogram.share(over: 3) > 0.95)
        for _ in 0..<60 { histogram.add(0.25) }
        #expect(histogram.quantile(0.5) < 0.3 && histogram.share(over: 3) < 0.06)
        #expect(abs(Self.sum(histogram) - 1) < 1e-9)
    }

    @Test func `a sample out of range goes into the nearest end bin, and an invalid one is ignored`() {
        var histogram = Self.fresh
        let before = histogram
        for sample in [0, -1, .nan] as [Double] { histogram.add(sample) }
        #expect(histogram == before)
        histogram.add(1e9)
        #expect(histogram.weights[63] > before.weights[63])
        histogram.add(1e-9)
        #expect(histogram.weights[0] > before.weights[0])
    }

    @Test func `a histogram whose shares do not sum to one or whose count is out of range is refused`() {
        #expect(LogHistogram(memory: 20, count: 10, weights: [Double](repeating: 1, count: 64)) == nil)
        #expect(LogHistogram(memory: 20, count: 10, weights: [Double](repeating: .nan, count: 64)) == nil)
        for count in [7, 21, .nan] as [Double] {
            #expect(LogHistogram(memory: 20, count: count, weights: Self.fresh.weights) == nil)
        }
        var negative = Self.fresh.weights
        negative[0] -= 0.5
        negative[1] += 0.5
        #expect(LogHistogram(memory: 20, count: 8, weights: negative) == nil)
        #expect(LogHistogram(memory: 20, count: 8, weights: Self.fresh.weights) == Self.fresh)
    }
}

@Suite("Learned movements")
struct LearnedMovementsTests {
    private static func taught(_ beginning: LearnedMovements.Beginning, metres: Double) -> LearnedMovements {
        var movements = LearnedMovements()
        for _ in 0..<60 { movements.note(beginning, metres: metres, seconds: 10, reference: 5) }
        return movements
    }

    @Test func `each way a movement can begin has its own learned distribution`() {
        let fresh = LearnedMovements()
        let moving = Self.taught(.moving, metres: 100)
        #expect((1.8...2.2).contains(moving.cruising.quantile(0.5)) && moving.restarting == fresh.restarting)
        let pausing = Self.taught(.pausing, metres: 15)
        #expect((0.27...0.33).contains(pausing.restarting.quantile(0.5)) && pausing.cruising == fresh.cruising)
        let resting = Self.taught(.resting, metres: 160)
        #expect((7.3...8.7).contains(resting.departures.quantile(0.5)) && resting.knocks == fresh.knocks)
        let knocked = Self.taught(.knocked, metres: 2)
        #expect(knocked.knocks.quantile(0.5) < 0.12 && knocked.departures == fresh.departures)
    }

    @Test func `movements that are under way teach the speeds, those that begin at rest do not`() {
        #expect((4.5...5.5).contains(Self.taught(.moving, metres: 100).speeds.quantile(0.5)))
        #expect((4.5...5.5).contains(Self.taught(.pausing, metres: 100).speeds.quantile(0.5)))
        #expect(Self.taught(.resting, metres: 100).speeds == LearnedMovements().speeds)
        #expect(Self.taught(.knocked, metres: 100).speeds == LearnedMovements().speeds)
    }
}

@Suite("Trust in the motion sensor")
struct MotionTrustTests {
    @Test func `a sensor is distrusted after one missed movement, or after two in a row once it has worked`() {
        var new = MotionTrust()
        new.moved(isNoticed: false, hasEverNoticed: false)
        #expect(new.isDeaf)
        var proven = MotionTrust()
        proven.moved(isNoticed: false, hasEverNoticed: true)
        #expect(!proven.isDeaf)
        proven.moved(isNoticed: true, hasEverNoticed: true)
        proven.moved(isNoticed: false, hasEverNoticed: true)
        #expect(!proven.isDeaf, "they were not in a row")
        proven.moved(isNoticed: false, hasEverNoticed: true)
        #expect(proven.isDeaf)
        proven.moved(isNoticed: true, hasEverNoticed: true)
        #expect(!proven.isDeaf)
    }

    @Test func `a sensor that reports motion for 15 minutes of rest is restless until it falls quiet`() {
        var trust = MotionTrust()
        trust.rested(busy: 3600, rest: 899)
        trust.rested(busy: 899, rest: 3600)
        #expect(!trust.isRestless)
        trust.rested(busy: 900, rest: 900)
        #expect(trust.isRestless)
        trust.fellQuiet()
        #expect(!trust.isRestless)
    }
}
