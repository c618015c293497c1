import Fusion
import SextantUnits
import Testing

/// How much of what is told holds, in one situation after another.
@Suite("Location filter's stated radius")
struct StatedRadiusTests {
    /// A receiver whose claims are true.
    private struct Receiver {
        var chance: Chance
        var errors: ReceiverErrors
        /// Metres per second on an axis; nil for a receiver that gives no velocity.
        var doppler: Double?

        init(seed: UInt64, slow: Double, persistence: Double, white: Double = 0, doppler: Double?) {
            chance = Chance(seed: seed)
            errors = ReceiverErrors(white: white, slow: slow)
            errors.persistence = persistence
            self.doppler = doppler
        }
    }

    /// The part of the errors within what is told, of a board that goes at a velocity.
    private func coverage(
        slow: Double, persistence: Double, white: Double = 0, doppler: Double?, velocity: SIMD2<Double>,
        every interval: Double = 1, seconds: Double = 900
    ) -> Double {
        var (within, all) = (0, 0)
        for seed in 1...5 as ClosedRange<UInt64> {
            var receiver = Receiver(
                seed: seed, slow: slow, persistence: persistence, white: white, doppler: doppler)
            var run = Run()
            for second in stride(from: 0, to: seconds, by: interval) {
                let truth = second * velocity
                let place = truth + receiver.errors.next(after: interval, &receiver.chance)
                let heard = receiver.doppler.map { velocity + $0 * receiver.chance.normal() }
                guard
                    let answer = run.take(place, at: second, accuracy: receiver.errors.claim, velocity: heard),
                    second >= 30
                else { continue }
                all += 1
                if length(run.place(answer) - truth) <= answer.horizontalAccuracy { within += 1 }
            }
        }
        return Double(within) / Double(all)
    }

    @Test(arguments: [1.0, 3], [60.0, 120])
    func `on a straight ride with velocities the stated radius holds its share of the errors`(
        interval: Double, persistence: Double
    ) {
        let part = coverage(
            slow: 3, persistence: persistence, doppler: 0.15, velocity: SIMD2(0, 8), every: interval)
        #expect((0.5...0.85).contains(part), "coverage \(part)")
    }

    @Test(arguments: [1.0, 3], [60.0])
    func `on a straight ride without velocities the stated radius is that of the fixes`(
        interval: Double, persistence: Double
    ) {
        let part = coverage(slow: 3, persistence: persistence, doppler: nil, velocity: SIMD2(0, 8), every: interval)
        #expect((0.55...0.8).contains(part), "coverage \(part)")
    }

    @Test(arguments: [(3.0, 60.0), (6, 120), (10, 120)], [nil, 0.15])
    func `at rest the stated radius holds the error that remains`(
        error: (slow: Double, persistence: Double), doppler: Double?
    ) {
        let part = coverage(slow: error.slow, persistence: error.persistence, doppler: doppler, velocity: .zero)
        #expect((0.45...0.97).contains(part), "coverage \(part)")
    }

    /// The part of the errors within what is told, of fixes ten minutes apart at rest that are off by far more than claimed.
    private func coverageBetweenPauses(isFelt: Bool) -> Double {
        var (within, all) = (0, 0)
        for seed in 1...12 as ClosedRange<UInt64> {
            var receiver = Receiver(seed: seed, slow: 20, persistence: 60, doppler: 0.15)
            var run = Run()
            if isFelt { run.filter.sensed(motion: false, at: run.instant(0)) }
            for index in 1...60 {
                let place = receiver.errors.next(after: 600, &receiver.chance)
                let heard = 0.15 * receiver.chance.normal()
                guard let answer = run.take(place, at: Double(index) * 600, accuracy: 4, velocity: heard), index > 10
                else { continue }
                all += 1
                if length(run.place(answer)) <= answer.horizontalAccuracy { within += 1 }
            }
        }
        return Double(within) / Double(all)
    }

    @Test func `comparing fixes before and after motionless pauses reveals misstated accuracies`() {
        let (felt, guessed) = (coverageBetweenPauses(isFelt: true), coverageBetweenPauses(isFelt: false))
        #expect((0.5...0.85).contains(felt), "coverage \(felt), and \(guessed) without an accelerometer")
        #expect(felt > guessed + 0.1)
    }

    @Test func `on a ride with velocities noise is averaged out`() {
        let part = coverage(slow: 0, persistence: 60, white: 6, doppler: 0.2, velocity: SIMD2(0, 8))
        #expect((0.6...0.88).contains(part), "coverage \(part)")
    }

    @Test func `errors that change from block to block get a radius smaller than stated that still holds`() {
        var (within, all, told) = (0, 0, 0.0)
        let claim = 1.51 * 10
        for seed in 1...8 as ClosedRange<UInt64> {
            var chance = Chance(seed: seed)
            var run = Run()
            var error = SIMD2<Double>.zero
            for second in 0..<900 {
                if second % 20 == 0 { error = 10 * chance.normal() }
                let truth = Double(second) * SIMD2(0, 10)
                let velocity = SIMD2(0, 10) + 0.2 * chance.normal()
                guard
                    let answer = run.take(truth + error, at: Double(second), accuracy: claim, velocity: velocity),
                    second > 120
                else { continue }
                all += 1
                told += answer.horizontalAccuracy
                if length(run.place(answer) - truth) <= answer.horizontalAccuracy { within += 1 }
            }
        }
        let part = Double(within) / Double(all)
        #expect((0.55...0.97).contains(part), "coverage \(part)")
        #expect(told / Double(all) < 0.9 * claim)
    }

    @Test func `the stated radius grows through a gap, and does not jump at the next fix`() throws {
        var chance = Chance(seed: 21)
        var errors = ReceiverErrors(white: 1, slow: 4)
        var run = Run()
        for second in 0..<300 {
            let place = SIMD2(0, 10 * Double(second)) + errors.next(after: 1, &chance)
            run.take(place, at: Double(second), accuracy: errors.claim, velocity: SIMD2(0, 10) + 0.2 * chance.normal())
        }
        var last = try #require(run.answers.last).location.horizontalAccuracy
        for second in 300..<360 {
            let now = try #require(run.filter.predicted(at: run.instant(Double(second)))).horizontalAccuracy
            #expect(now >= last)
            last = now
        }
        #expect(last > 30)
        for (one, next) in zip(run.answers.dropFirst(30), run.answers.dropFirst(31)) {
            let change = next.location.horizontalAccuracy / one.location.horizontalAccuracy
            #expect((0.5...2).contains(change))
        }
    }
}
