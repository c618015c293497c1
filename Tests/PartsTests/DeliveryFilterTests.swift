import GNSS
import Parts
import PartsTestSupport
import Power
import SextantUnits
import Testing

@Suite("Delivery filter")
struct DeliveryFilterTests {
    private func filter(distance: Double? = nil, interval: Double? = nil) -> DeliveryFilter {
        DeliveryFilter(LocationSettings(accuracy: .best, distanceFilter: distance, minimumInterval: interval))
    }

    /// Which of these are delivered, a second apart.
    private func delivered(_ fixes: [Fix], through filter: DeliveryFilter) -> [Int] {
        var filter = filter
        return fixes.indices.filter { filter.passes(fixes[$0], at: at(Double($0))) }
    }

    @Test func `without a filter every fix passes`() {
        #expect(delivered([fix(0), fix(0), fix(0)], through: filter()) == [0, 1, 2])
    }

    @Test func `a filter of 50 m stops 49 m and passes 51 m`() {
        #expect(delivered([fix(0), fix(49), fix(51), fix(52)], through: filter(distance: 50)) == [0, 2])
    }

    @Test func `FILT-06: a change of altitude alone, however great, does not pass`() {
        let fixes = [400.0, 600, 5000].map { altitude in
            var fix = fix(0)
            fix.altitudeAboveMeanSeaLevel = altitude
            return fix
        }
        #expect(delivered(fixes, through: filter(distance: 50)) == [0])
    }

    @Test func `FILT-02: steps of 1 m are measured from the last delivered fix, so they add up`() {
        let steps = (0...160).map { fix(Double($0) * 1.001) }
        #expect(delivered(steps, through: filter(distance: 50)) == [0, 50, 100, 150])
    }

    @Test func `FILT-03: a materially better fix passes at the same place`() {
        let filter = filter(distance: 500)
        #expect(delivered([fix(0, accuracy: 100), fix(0, accuracy: 5)], through: filter) == [0, 1])
        #expect(delivered([fix(0, accuracy: 100), fix(0, accuracy: 91)], through: filter) == [0])
        #expect(delivered([fix(0, accuracy: 100), fix(0, accuracy: nil)], through: filter) == [0])
    }

    @Test func `FILT-04: flickering accuracies do not count as improvements`() {
        let flicker = (0..<20).map { fix(0, accuracy: $0 % 2 == 0 ? 5.0 : 4.9) }
        #expect(delivered(flicker, through: filter(distance: 50)) == [0])
        #expect(delivered([fix(0, accuracy: 2), fix(0, accuracy: 1.2)], through: filter(distance: 50)) == [0])
    }

    @Test func `a change of altitude is not movement`() {
        var high = fix(0)
        high.heightAboveEllipsoid = 900
        #expect(delivered([fix(0), high], through: filter(distance: 50)) == [0])
    }

    @Test func `two reports keep the minimum interval, whatever the distance`() {
        let fixes = (0...20).map { fix(Double($0) * 600) }
        #expect(delivered(fixes, through: filter(distance: 500, interval: 10)) == [0, 10, 20])
    }

    @Test func `a changed filter applies from the next fix on, measured from the last delivered one`() {
        var filter = filter(distance: 50)
        #expect(filter.passes(fix(0), at: at(0)) == true)
        filter.change(to: LocationSettings(accuracy: .best, distanceFilter: 10))
        #expect(filter.passes(fix(9), at: at(1)) == false)
        #expect(filter.passes(fix(11), at: at(2)) == true)
    }

    @Test func `a fix without a position is not delivered`() {
        var noFix = fix(0)
        noFix.type = .noFix
        var beyond = fix(0)
        beyond.latitude = 90.1
        var half = fix(0)
        half.longitude = nil
        #expect(delivered([Fix(), noFix, beyond, half, fix(0, accuracy: -1), fix(0)], through: filter()) == [5])
    }
}
