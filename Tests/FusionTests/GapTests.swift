import Fusion
import SextantUnits
import Testing

@Suite("Location filter without fixes")
struct GapTests {
    private func driving() -> Run {
        var run = Run()
        for second in 0..<60 {
            run.take(SIMD2(15 * Double(second), 0), at: Double(second), accuracy: 6, velocity: SIMD2(15, 0))
        }
        return run
    }

    @Test func `in a tunnel the location is predicted with a radius that grows every second`() throws {
        let run = driving()
        var before = 0.0
        for second in stride(from: 60.0, through: 89, by: 1) {
            let coasting = try #require(run.filter.predicted(at: run.instant(second)))
            #expect(coasting.support == .coasting)
            #expect(coasting.horizontalAccuracy > before)
            before = coasting.horizontalAccuracy
            #expect(length(run.place(coasting) - SIMD2(15 * second, 0)) < coasting.horizontalAccuracy)
        }
        #expect(before > 50)
    }

    @Test func `the first fix after a tunnel is accepted at once`() throws {
        for way in [0.0, 200, 440] {
            var run = driving()
            let answer = try run.taken(SIMD2(885 + way, 0), at: 89, accuracy: 6)
            #expect(answer.support == .measured)
            #expect(length(run.place(answer) - SIMD2(885 + way, 0)) < 15)
        }
    }

    @Test func `after hours without fixes the first fix is accepted, at the same place or far away`() throws {
        for place in [SIMD2(0.0, 0), SIMD2(80_000, 5_000)] {
            var run = Run()
            for second in 0..<300 { run.take(.zero, at: Double(second), accuracy: 8) }
            let asleep = try #require(run.filter.predicted(at: run.instant(5 * 3_600)))
            #expect(asleep.horizontalAccuracy > 1_000)
            let awake = try run.taken(place, at: 5 * 3_600, accuracy: 8)
            #expect(length(run.place(awake) - place) < 40)
            #expect(awake.horizontalAccuracy < 15)
        }
    }

    @Test func `after days without a fix the filter starts again`() throws {
        var run = driving()
        let answer = try run.taken(SIMD2(-40_000, 9), at: 3 * 86_400, accuracy: 8)
        #expect(answer.support == .measured)
        #expect(length(run.place(answer) - SIMD2(-40_000, 9)) < 1)
    }

    @Test func `without a fix there is no prediction, and a past instant gives the last fix`() {
        #expect(LocationFilter().predicted(at: .zero) == nil)
        let run = driving()
        #expect(run.filter.predicted(at: .zero)?.instant == run.instant(59))
    }

    @Test(arguments: [0.1, 1, 5, 20, 60])
    func `a car is followed at any rate from ten fixes a second to one a minute`(interval: Double) throws {
        var chance = Chance(seed: 17)
        var (run, errors) = (Run(), ReceiverErrors(white: 3))
        var (raw, fused): ([Double], [Double]) = ([], [])
        for count in 0..<200 {
            let time = Double(count) * interval
            let (sine, cosine) = Trigonometry.sineAndCosine(time / 200)
            let truth = 2_000 * SIMD2(sine, cosine)
            let place = truth + errors.next(after: interval, &chance)
            let answer = try run.taken(place, at: time, accuracy: errors.claim)
            raw.append(length(place - truth))
            fused.append(length(run.place(answer) - truth))
        }
        #expect(quantile(fused, 0.5) < 1.1 * quantile(raw, 0.5))
        #expect(quantile(fused, 0.95) < 1.2 * quantile(raw, 0.95))
    }
}
