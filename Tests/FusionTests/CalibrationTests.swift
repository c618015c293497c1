import Fusion
import SextantUnits
import Testing

@Suite("Location filter's accuracy")
struct CalibrationTests {
    private func score(
        _ errors: ReceiverErrors, claim: Double? = nil, speed: Double?, isStanding: Bool
    ) -> Score {
        var all = Score()
        for seed in 1...5 as ClosedRange<UInt64> {
            var chance = Chance(seed: seed)
            let truth =
                isStanding ? Truth.stop(seconds: 1_200) : Truth.drive(seconds: 1_200, chance: &chance)
            let one = Score(truth, errors: errors, claim: claim, speed: speed, chance: &chance)
            all.add(one)
        }
        return all
    }

    @Test(arguments: [3.0, 6, 12], [nil, 0.2])
    func `with correlated errors on the road, two thirds of them are within the stated radius`(
        slow: Double, speed: Double?
    ) {
        let score = score(ReceiverErrors(white: 0.5, slow: slow), speed: speed, isStanding: false)
        #expect((0.5...0.86).contains(score.coverage), "coverage \(score.coverage)")
    }

    @Test(arguments: [3.0, 6, 12])
    func `with correlated errors at rest, two thirds of them are within the stated radius`(slow: Double) {
        let score = score(ReceiverErrors(white: 0.5, slow: slow), speed: nil, isStanding: true)
        #expect((0.5...0.86).contains(score.coverage), "coverage \(score.coverage)")
    }

    @Test(arguments: [3.0, 12], [nil, 0.2])
    func `under white noise the stated radius is not too small`(white: Double, speed: Double?) {
        let score = score(ReceiverErrors(white: white), speed: speed, isStanding: false)
        #expect(score.coverage > 0.6, "coverage \(score.coverage)")
    }

    @Test(arguments: [0.4, 2])
    func `a receiver that misstates its accuracy is corrected`(factor: Double) {
        let errors = ReceiverErrors(white: 3, slow: 3)
        let score = score(errors, claim: errors.claim * factor, speed: 0.2, isStanding: false)
        #expect((0.5...0.97).contains(score.coverage), "coverage \(score.coverage)")
    }

    @Test func `once learned, a receiver that claims 1 m and errs by 40 m gets a radius of tens of metres`() throws {
        var chance = Chance(seed: 9)
        let truth = Truth.drive(seconds: 2_400, chance: &chance)
        var (run, errors) = (Run(), ReceiverErrors(white: 0.5, slow: 30))
        for (second, now) in truth.enumerated() {
            let place = now.place + errors.next(after: 1, &chance)
            run.take(place, at: Double(second), accuracy: 1, velocity: now.velocity + 0.1 * chance.normal())
        }
        let told = run.answers.suffix(600).map(\.location.horizontalAccuracy)
        #expect((20...90).contains(quantile(told, 0.5)), "told \(quantile(told, 0.5)) m")
    }

    @Test(arguments: [0, 1e-9, 0.01])
    func `a stated accuracy near zero does not make a fix certain`(claim: Double) throws {
        var run = Run()
        for second in 0..<30 { run.take(.zero, at: Double(second), accuracy: 5) }
        let answer = try run.taken(SIMD2(30, 0), at: 30, accuracy: claim)
        #expect(length(run.place(answer)) < 20)
        #expect(answer.horizontalAccuracy > 0.5)
    }

    @Test(arguments: [nil, 0.2], [ReceiverErrors(white: 4, slow: 3), ReceiverErrors(white: 2, slow: 8)])
    func `a fused drive is no worse than its fixes, at the median and in the tail`(
        speed: Double?, errors: ReceiverErrors
    ) {
        for seed in 1...4 as ClosedRange<UInt64> {
            var chance = Chance(seed: seed)
            let truth = Truth.drive(seconds: 1_500, chance: &chance)
            let score = Score(truth, errors: errors, speed: speed, chance: &chance)
            #expect(quantile(score.fused, 0.5) <= quantile(score.raw, 0.5) * 1.01)
            #expect(quantile(score.fused, 0.95) <= quantile(score.raw, 0.95) * 1.01)
        }
    }
}
