import Fusion
import SextantUnits
import Testing

@Suite("Location filter at rest")
struct RestTests {
    /// The distances of a run's last places from their own mean.
    private func scatter(_ places: [SIMD2<Double>]) -> [Double] {
        let mean = places.reduce(.zero, +) / Double(places.count)
        return places.map { length($0 - mean) }
    }

    @Test(arguments: [1.0, 5, 30, 60], [0.0, 6])
    func `the scatter of a board at rest is at least halved`(interval: Double, slow: Double) {
        for seed in 1...5 as ClosedRange<UInt64> {
            var chance = Chance(seed: seed)
            var errors = ReceiverErrors(white: 6, slow: slow)
            var run = Run()
            var raw: [SIMD2<Double>] = []
            for count in 0..<240 {
                let place = errors.next(after: interval, &chance)
                run.take(place, at: Double(count) * interval, accuracy: errors.claim)
                raw.append(place)
            }
            let fused = scatter(run.answers.suffix(200).map(\.place))
            #expect(quantile(fused, 0.5) < 0.5 * quantile(scatter(raw.suffix(200)), 0.5))
            #expect(run.answers.last?.location.isStationary == true)
        }
    }

    @Test func `a stop and a departure are each detected within seconds`() throws {
        var chance = Chance(seed: 3)
        var run = Run()
        for second in 0..<120 { run.take(3 * chance.normal(), at: Double(second)) }
        #expect(run.answers[119].location.isStationary)
        #expect(run.answers[119].location.velocity?.speed == 0)
        for second in 0..<20 {
            run.take(SIMD2(10 * Double(second), 0) + 3 * chance.normal(), at: 120 + Double(second))
        }
        let left = try #require(run.answers.dropFirst(120).firstIndex { !$0.location.isStationary })
        #expect(left <= 126)
        let last = try #require(run.answers.last)
        #expect(length(last.place - SIMD2(190, 0)) < 10)
        let speed = try #require(last.location.velocity?.speed)
        #expect(abs(speed - 10) < 3)
    }

    @Test func `the rest state does not flicker under correlated errors`() {
        var chance = Chance(seed: 5)
        var errors = ReceiverErrors(white: 1, slow: 5)
        var run = Run()
        for second in 0..<3_600 {
            run.take(errors.next(after: 1, &chance), at: Double(second), accuracy: errors.claim)
        }
        var changes = 0
        for (one, next) in zip(run.answers, run.answers.dropFirst())
        where one.location.isStationary != next.location.isStationary { changes += 1 }
        #expect(changes <= 6)
        #expect(run.answers.filter(\.location.isStationary).count > 3_000)
    }

    @Test func `a walk is not taken for rest, with or without a speed`() {
        for speed in [nil, 0.3] as [Double?] {
            var chance = Chance(seed: 7)
            let truth = Truth.walk(seconds: 600, velocity: SIMD2(1, 0.8))
            var run = Run()
            for (second, now) in truth.enumerated() {
                run.take(
                    now.place + 4 * chance.normal(), at: Double(second), accuracy: 6,
                    velocity: speed.map { now.velocity + $0 * chance.normal() })
            }
            let still = run.answers.dropFirst(60).filter(\.location.isStationary).count
            #expect(still < 30, "a speed: \(speed != nil)")
        }
    }

    @Test func `an accelerometer without motion keeps the rest state, and motion ends it`() {
        var (resting, plain) = (Run(), Run())
        resting.filter.sensed(motion: false, at: .zero)
        var chance = Chance(seed: 9)
        for second in 0..<30 {
            let place = 3 * chance.normal()
            resting.take(place, at: Double(second))
            plain.take(place, at: Double(second))
        }
        let first = { (run: Run) in run.answers.firstIndex { $0.location.isStationary } ?? 1_000 }
        #expect(first(resting) <= first(plain))
        #expect(resting.answers.last?.location.isStationary == true)
        var moved = resting
        moved.filter.sensed(motion: true, at: moved.instant(30))
        for run in [moved, resting] {
            var run = run
            for second in 0..<30 { run.take(SIMD2(1.4 * Double(second), 0), at: 30 + Double(second)) }
            let error = run.answers.last.map { length($0.place - SIMD2(40.6, 0)) }
            #expect(error.map { $0 < 10 } == true)
        }
    }

    @Test func `at rest the heading comes from the compass, and in motion from the course`() throws {
        var run = Run()
        run.take(.zero, at: 0, velocity: .zero)
        run.filter.sensed(heading: -90, accuracy: 5, at: run.instant(1))
        let resting = try run.taken(.zero, at: 1.5, velocity: .zero).heading
        #expect(resting == FusedHeading(degrees: 270, accuracy: 5, source: .compass))
        for second in 2..<20 {
            run.take(SIMD2(0, 10 * Double(second)), at: Double(second), velocity: SIMD2(0, 10))
        }
        let going = try #require(run.answers.last?.location.heading)
        #expect(going.source == .course)
        #expect(min(going.degrees, 360 - going.degrees) < 5)
        run.filter.sensed(heading: .nan, accuracy: 5, at: run.instant(20))
        #expect(run.filter.predicted(at: run.instant(40))?.heading?.source != .compass)
    }
}
