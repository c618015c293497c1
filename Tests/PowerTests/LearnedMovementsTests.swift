import Receivers
import Testing

@testable import Power

@Suite("Log histogram")
struct LogHistogramTests {
    private static let fresh = LogHistogram(memory: 20, around: [(1, 1)])

    private static func sum(_ histogram: LogHistogram) -> Double {
        histogram.weights.indices.reduce(0) { $0 + histogram.weights[$1] }
    }

    @Test func `a belief lies around its centre and sums to one`() {
        let fresh = Self.fresh
        #expect(abs(Self.sum(fresh) - 1) < 1e-12)
        #expect((0.8...1.2).contains(fresh.quantile(0.5)))
        #expect(fresh.quantile(0.1) < 0.8 && fresh.quantile(0.9) > 1.2)
        #expect(abs(fresh.share(over: 1) - 0.5) < 0.1)
    }

    @Test func `bins run from a sixteenth to sixteen, a quarter of an octave each`() {
        #expect(abs(LogHistogram.middles[0] * 16 - 1.0905) < 1e-4)
        #expect(abs(LogHistogram.middles[4] / LogHistogram.middles[0] - 2) < 1e-12)
        #expect(abs(LogHistogram.middles[31] / 16 - 0.917) < 1e-3)
    }

    @Test func `sixty samples outweigh the belief, and the old is forgotten`() {
        var histogram = Self.fresh
        for _ in 0..<60 { histogram.add(4) }
        #expect((3.6...4.4).contains(histogram.quantile(0.5)) && histogram.share(over: 3) > 0.95)
        for _ in 0..<60 { histogram.add(0.25) }
        #expect(histogram.quantile(0.5) < 0.3 && histogram.share(over: 3) < 0.06)
        #expect(abs(Self.sum(histogram) - 1) < 1e-9)
    }

    @Test func `what lies outside goes into the first or the last bin, and what is no number nowhere`() {
        var histogram = Self.fresh
        let before = histogram
        for sample in [0, -1, .nan] as [Double] { histogram.add(sample) }
        #expect(histogram == before)
        histogram.add(1e9)
        #expect(histogram.weights[31] > before.weights[31])
        histogram.add(1e-9)
        #expect(histogram.weights[0] > before.weights[0])
    }

    @Test func `the mean excess is none for a short time, and nearly all of a long one`() {
        #expect(Self.fresh.meanExcess(of: 1, over: 100) == 0)
        let excess = Self.fresh.meanExcess(of: 10_000, over: 100)
        #expect((9700...9950).contains(excess))
        var last = 0.0
        for whole in stride(from: 10.0, through: 1000, by: 10) {
            let excess = Self.fresh.meanExcess(of: whole, over: 100)
            #expect(excess >= last && excess < whole)
            last = excess
        }
    }

    @Test func `shares that sum to something else than one are none`() {
        #expect(LogHistogram(memory: 20, weights: InlineArray(repeating: 1)) == nil)
        #expect(LogHistogram(memory: 20, weights: InlineArray(repeating: .nan)) == nil)
        var negative = Self.fresh.weights
        negative[0] -= 0.5
        negative[1] += 0.5
        #expect(LogHistogram(memory: 20, weights: negative) == nil)
        #expect(LogHistogram(memory: 20, weights: Self.fresh.weights) == Self.fresh)
    }
}

@Suite("Learned movements")
struct LearnedMovementsTests {
    @Test func `each kind of gap teaches its own histogram`() {
        let fresh = LearnedMovements()
        var movements = fresh
        for _ in 0..<40 { movements.noteBout(speed: 20, seconds: 46) }
        #expect(movements.longBouts.quantile(0.5) > 8 && movements.shortBouts == fresh.shortBouts)
        for _ in 0..<40 { movements.noteBout(speed: 0.2, seconds: 45) }
        #expect(movements.shortBouts.quantile(0.5) < 0.12 && movements.cruising == fresh.cruising)
        for _ in 0..<40 { movements.noteCruise(2) }
        #expect(movements.cruising.quantile(0.5) > 1.7 && movements.restarting == fresh.restarting)
        for _ in 0..<40 { movements.noteRestart(0.3) }
        #expect(movements.restarting.quantile(0.5) < 0.4)
    }

    @Test func `a sensor is believed to miss a move in two days, until it shows what it does`() {
        var movements = LearnedMovements()
        #expect(abs(movements.missedMoveRate * 172_800 - 1) < 1e-9)
        for _ in 0..<10 { movements.noteWatch(seconds: 86_400, missedMove: false) }
        #expect(movements.missedMoveRate * 864_000 < 0.3)
        for _ in 0..<10 { movements.noteWatch(seconds: 0, missedMove: true) }
        #expect(movements.missedMoveRate * 86_400 > 0.9)
    }

    @Test func `what was watched long ago counts less, and what is no time counts nothing`() {
        var movements = LearnedMovements()
        for _ in 0..<1000 { movements.noteWatch(seconds: 86_400, missedMove: true) }
        #expect(movements.watchedRest <= 30 * 86_400 && movements.missedMoves <= 32)
        let before = movements
        for seconds in [-1, .nan, .infinity] as [Double] { movements.noteWatch(seconds: seconds, missedMove: true) }
        #expect(movements == before)
    }
}
