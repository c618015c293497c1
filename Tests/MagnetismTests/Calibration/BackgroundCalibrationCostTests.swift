import AllocationCounter
import SextantUnits
import Testing

@testable import Magnetism

@Suite("Background calibration's cost", .serialized)
struct BackgroundCalibrationCostTests {
    @Test func `in the steady state a sample allocates nothing and starts no fit`() {
        let good = CompassCalibration(
            reach: .spatial, offset: .zero, matrix: .identity, norm: 48, residual: 0.5, levelHeadingError: 0.3,
            tiltedHeadingError: 0.3)
        var background = BackgroundCalibration(calibration: good)
        let directions = EllipsoidFitTests.directions(500)
        func sample(_ index: Int) -> CompassSample {
            CompassSample(
                instant: MonotonicInstant(nanoseconds: Int64(index) * 1_000_000_000),
                field: 48 * directions[index % directions.count])
        }
        for index in 0..<1000 { _ = background.sensed(sample(index)) }
        let before = allocation_count()
        for index in 1000..<7000 { _ = background.sensed(sample(index)) }
        let allocations = allocation_count() - before
        #expect(allocations == 0)
        #expect(background.fitCount == 0)
    }

    @Test func `the kept samples stay bounded and spread over all directions`() {
        var set = SpreadSamples()
        for (index, direction) in EllipsoidFitTests.directions(2000).enumerated() {
            _ = set.add(
                CalibrationSample(field: 48 * direction), at: MonotonicInstant(nanoseconds: Int64(index)))
            #expect(set.entries.count <= SpreadSamples.capacity)
        }
        let coverage = SphereCoverage(set.entries.map { $0.sample.field.unit })
        #expect(coverage.filledShare > 0.6)
    }

    @Test func `samples at the same instant are also thinned out`() {
        var set = SpreadSamples()
        for direction in EllipsoidFitTests.directions(600) {
            _ = set.add(CalibrationSample(field: 48 * direction), at: .zero)
        }
        #expect(set.entries.count <= SpreadSamples.capacity)
    }
}
