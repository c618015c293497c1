import Fusion
import GNSS
import SextantUnits
import Testing

@Suite("Location filter's input")
struct InputTests {
    private func settled() -> Run {
        var run = Run()
        for second in 0..<30 { run.take(.zero, at: Double(second), accuracy: 5) }
        return run
    }

    @Test(arguments: [
        (Double.nan, 11.0, 5.0, FixRefusal.notANumber), (48, .infinity, 5, .notANumber), (90.1, 11, 5, .outOfRange),
        (48, -180.1, 5, .outOfRange), (48.137, 11.575, -1, .negativeAccuracy), (48.137, 11.575, .nan, .notANumber),
        (48.137, 11.575, 4_294_967, .hopelessAccuracy), (48.137, 11.575, .infinity, .hopelessAccuracy),
    ])
    func `an impossible fix is skipped and counted`(
        latitude: Double, longitude: Double, accuracy: Double, refusal: FixRefusal
    ) {
        var run = settled()
        let before = run.filter.predicted(at: run.instant(40))
        let fix = FilterFix(latitude: latitude, longitude: longitude, horizontalAccuracy: accuracy)
        let heard = run.filter.update(fix, at: run.instant(31))
        #expect(heard == nil)
        #expect(run.filter.counters[refusal] == 1)
        #expect(run.filter.counters.rejected == 1)
        #expect(run.filter.predicted(at: run.instant(40)) == before)
    }

    @Test func `a missing accuracy is assumed, and absurd speeds and heights are ignored`() throws {
        var run = settled()
        for (second, speed) in [Double.nan, -3, 1e300, .infinity].enumerated() {
            var fix = run.fix(.zero, accuracy: nil)
            (fix.speed, fix.course, fix.altitude, fix.speedAccuracy) = (speed, speed, speed * 1e6, speed)
            let heard = run.filter.update(fix, at: run.instant(31 + Double(second)))
            let answer = try #require(heard)
            #expect(length(run.place(answer)) < 1)
            #expect(answer.altitude == nil)
        }
        #expect(run.filter.counters.rejected == 0)
    }

    @Test func `an accuracy of 0 counts as missing`() {
        var (zero, absent) = (Run(), Run())
        for second in 0..<60 {
            let place = SIMD2(Double(second % 7), Double(second % 5))
            let answers = (
                zero.take(place, at: Double(second), accuracy: second % 3 == 0 ? 0 : 5),
                absent.take(place, at: Double(second), accuracy: second % 3 == 0 ? nil : 5)
            )
            #expect(answers.0 == answers.1, "second \(second)")
        }
    }

    @Test func `a repeated fix counts once`() {
        var run = settled()
        let heard = (run.take(SIMD2(1, 1), at: 30), run.take(SIMD2(1, 1), at: 30))
        #expect(heard.0 != nil && heard.1 == nil)
        #expect(run.filter.counters[.duplicate] == 1)
    }

    @Test func `a slightly late fix is used, and a later one is refused as stale`() throws {
        var run = Run()
        for second in 0..<30 {
            run.take(SIMD2(10 * Double(second), 0), at: Double(second), velocity: SIMD2(10, 0))
        }
        let late = try run.taken(SIMD2(285, 0), at: 28.5, velocity: SIMD2(10, 0), receiver: 1)
        #expect(late.instant == run.instant(29))
        #expect(length(run.place(late) - SIMD2(290, 0)) < 3)
        let heard = run.take(SIMD2(200, 0), at: 20)
        #expect(heard == nil)
        #expect(run.filter.counters[.stale] == 1)
    }

    @Test func `a first fix from another decade is overruled by the following ones`() throws {
        var run = Run()
        let year = 365.0 * 86_400
        run.take(.zero, at: 20 * year)
        var heard: FusedLocation?
        for second in 0..<10 { heard = run.take(SIMD2(30, 0), at: Double(second)) ?? heard }
        let answer = try #require(heard)
        #expect(answer.instant == run.instant(9))
        #expect(length(run.place(answer) - SIMD2(30, 0)) < 2)
        #expect(run.filter.counters[.stale] == 5)
        let later = try run.taken(SIMD2(40, 0), at: 30 * year)
        #expect(length(run.place(later) - SIMD2(40, 0)) < 1)
    }

    @Test func `extreme instants cause no overflow`() {
        var filter = LocationFilter()
        let fix = FilterFix(latitude: 1, longitude: 2)
        for nanoseconds in [Int64.max, .min, 0, .max, .min + 1, .max - 1] {
            _ = filter.update(fix, at: MonotonicInstant(nanoseconds: nanoseconds))
            let answer = filter.predicted(at: MonotonicInstant(nanoseconds: .max))
            #expect(answer.map { $0.latitude.isFinite && $0.horizontalAccuracy.isFinite } == true)
        }
    }

    @Test func `100 000 fixes in one second do no harm`() throws {
        var run = settled()
        for count in 0..<100_000 { run.take(SIMD2(3, 0), at: 30 + Double(count) * 1e-5, accuracy: 5) }
        #expect(run.filter.counters[.tooSoon] > 90_000)
        let answer = try #require(run.filter.predicted(at: run.instant(31)))
        #expect(length(run.place(answer)) < 3)
        #expect(answer.horizontalAccuracy > 0.5)
    }

    @Test func `random input never causes a trap or an invalid result`() {
        var chance = Chance(seed: 23)
        var run = Run(latitude: 89.99, longitude: 179.99)
        var time = 0.0
        for _ in 0..<10_000 {
            let wild = chance.uniform()
            time += wild < 0.01 ? 1e5 * chance.uniform() : wild < 0.05 ? -chance.uniform() : 2 * chance.uniform()
            let place = (wild < 0.1 ? 1e6 : 30) * chance.normal()
            run.filter.sensed(motion: chance.uniform() < 0.5, at: run.instant(time))
            let answer = run.take(
                place, at: time, accuracy: wild < 0.2 ? nil : 1e4 * wild * wild * wild,
                velocity: wild < 0.5 ? 400 * wild * chance.normal() : nil, receiver: UInt8(7 * chance.uniform()))
            guard let answer else { continue }
            #expect(abs(answer.latitude) <= 90 && abs(answer.longitude) <= 180)
            #expect(answer.horizontalAccuracy > 0 && answer.horizontalAccuracy < 1e7)
            #expect(answer.velocity.map { $0.speed < 1_000 && $0.deviation.isFinite } == true)
        }
    }

    @Test func `a second receiver does no harm, and takes over when the first falls silent`() throws {
        var chance = Chance(seed: 29)
        var (one, two) = (ReceiverErrors(white: 4, slow: 4), ReceiverErrors(white: 4, slow: 4))
        var run = Run()
        var (raw, fused): ([Double], [Double]) = ([], [])
        let truth = Truth.drive(seconds: 1_200, chance: &chance)
        for (second, now) in truth.enumerated() {
            let place = now.place + one.next(after: 1, &chance)
            let other = now.place + two.next(after: 1, &chance)
            if second < 600 { run.take(place, at: Double(second), accuracy: one.claim) }
            let answer = try run.taken(other, at: Double(second) + 0.1, accuracy: two.claim, receiver: 9)
            raw.append(length(other - now.place))
            fused.append(length(run.place(answer) - now.place - 0.1 * now.velocity))
        }
        #expect(quantile(fused, 0.5) < quantile(raw, 0.5))
        #expect(quantile(fused, 0.95) < quantile(raw, 0.95))
        #expect(run.filter.counters.rejected == 0)
    }

    @Test func `a filter fix is made from a receiver's solution`() throws {
        var fix = Fix()
        #expect(FilterFix(fix, receiver: 0) == nil)
        fix.type = .threeD
        (fix.latitude, fix.longitude) = (1, 2)
        fix.velocity = VelocityNED(north: 0, east: 3, down: 1)
        let taken = try #require(FilterFix(fix, receiver: 4))
        #expect(taken.receiver == 4 && taken.speed == 3)
        #expect(taken.course.map { abs($0 - 90) < 1e-9 } == true)
        fix.type = .timeOnly
        #expect(FilterFix(fix, receiver: 0)?.latitude == 1, "a surveyed position")
        fix.type = .noFix
        #expect(FilterFix(fix, receiver: 0) == nil)
    }
}
