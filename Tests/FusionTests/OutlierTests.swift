import Fusion
import SextantUnits
import Testing

@Suite("Location filter against outliers")
struct OutlierTests {
    /// A minute of standing.
    private func standing() -> Run {
        var run = Run()
        var chance = Chance(seed: 11)
        for second in 0..<60 { run.take(2 * chance.normal(), at: Double(second), accuracy: 5) }
        return run
    }

    @Test(arguments: [nil, SIMD2(0.0, 0)])
    func `a single jump of 200 m with a stated accuracy of 2 m does not move the location`(velocity: SIMD2<Double>?)
        throws
    {
        var run = standing()
        for second in 60..<63 {
            let answer = try run.taken(SIMD2(200, 0), at: Double(second), accuracy: 2, velocity: velocity)
            #expect(length(run.place(answer)) < 4)
            #expect(answer.support == .coasting)
        }
        #expect(run.filter.counters[.outlier] == 3)
        let back = try run.taken(.zero, at: 63, accuracy: 5)
        #expect(back.support == .measured)
        #expect(length(run.place(back)) < 4)
    }

    @Test func `outliers that agree with each other are accepted after some seconds`() throws {
        var run = standing()
        var chance = Chance(seed: 12)
        var believed: Double?
        for second in 60..<90 {
            let answer = run.take(SIMD2(600, 0) + 2 * chance.normal(), at: Double(second), accuracy: 5)
            if let answer, believed == nil, length(run.place(answer) - SIMD2(600, 0)) < 10 { believed = Double(second) }
        }
        let after = try #require(believed)
        #expect(after >= 64 && after <= 72)
        #expect(run.filter.counters.reacquired == 1)
    }

    @Test func `outliers that contradict each other are not accepted`() {
        var run = standing()
        for second in 60..<75 {
            let (sine, cosine) = Trigonometry.sineAndCosine(Double(second) * 2)
            run.take(900 * SIMD2(sine, cosine), at: Double(second), accuracy: 2)
        }
        #expect(run.filter.counters.reacquired == 0)
        #expect(run.answers.last.map { length($0.place) < 20 } == true)
    }

    @Test func `a wrong first position is abandoned at once`() throws {
        var run = Run()
        run.take(SIMD2(5_000, 3_000), at: 0, accuracy: 5)
        for second in 1..<8 { run.take(.zero, at: Double(second), accuracy: 5) }
        let last = try #require(run.answers.last)
        #expect(length(last.place) < 5)
        #expect(run.filter.counters.reacquired == 1)
    }

    @Test(arguments: [1, 5])
    func `an aeroplane is followed even if its receiver gives no speed`(interval: Int) throws {
        var run = Run()
        for second in stride(from: 0, to: 300, by: interval) {
            run.take(SIMD2(0, 240 * Double(second)), at: Double(second), accuracy: 8)
        }
        let last = try #require(run.answers.last)
        #expect(length(last.place - SIMD2(0, 240 * Double(300 - interval))) < 60)
        let speed = try #require(last.location.velocity?.speed)
        #expect(abs(speed - 240) < 15)
    }

    @Test func `the speed between successive locations stays that of a vehicle`() {
        var chance = Chance(seed: 13)
        let truth = Truth.drive(seconds: 1_800, chance: &chance)
        var errors = ReceiverErrors(white: 4, slow: 6)
        var run = Run()
        var left = 0
        for (second, now) in truth.enumerated() {
            let place = now.place + errors.next(after: 1, &chance)
            // A tunnel now and then, and a spike of 60 m that claims nothing of the kind.
            if left == 0, chance.uniform() < 0.01 { left = 29 }
            if left > 0 {
                left -= 1
                continue
            }
            run.take(chance.uniform() < 0.02 ? place + SIMD2(60, 0) : place, at: Double(second), accuracy: errors.claim)
        }
        for (one, next) in zip(run.answers, run.answers.dropFirst()) {
            let seconds = Double(next.location.instant.nanoseconds(since: one.location.instant)) / 1e9
            #expect(length(next.place - one.place) / seconds < 45)
        }
    }
}
