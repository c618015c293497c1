import Magnetism
import SextantUnits
import Testing

@testable import Engine

@Suite("Occasions for a calibration")
struct CalibrationOccasionsTests {
    private struct Watch {
        var occasions = CalibrationOccasions()
        var tenths: Int64 = 0

        mutating func follow(_ problem: HeadingProblem?, tenths count: Int) {
            for _ in 0..<count {
                tenths += 1
                occasions.heard(problem, at: MonotonicInstant(nanoseconds: tenths * 100_000_000))
            }
        }
    }

    @Test func `ten seconds of disturbance are an occasion, and two seconds without it end the occasion`() {
        var watch = Watch()
        watch.follow(.disturbed, tenths: 95)
        #expect(watch.occasions.current == nil)
        watch.follow(.disturbed, tenths: 10)
        #expect(watch.occasions.current == 1)
        watch.follow(nil, tenths: 15)
        #expect(watch.occasions.current == 1)
        watch.follow(nil, tenths: 10)
        #expect(watch.occasions.current == nil)
    }

    @Test func `a sleep between two samples neither begins nor ends an occasion`() {
        var watch = Watch()
        watch.follow(.disturbed, tenths: 2)
        watch.tenths += 36_000
        watch.follow(.disturbed, tenths: 2)
        #expect(watch.occasions.current == nil)
        watch.follow(.disturbed, tenths: 100)
        #expect(watch.occasions.current == 1)
        watch.follow(nil, tenths: 2)
        watch.tenths += 36_000
        watch.follow(nil, tenths: 2)
        #expect(watch.occasions.current == 1)
    }
}
