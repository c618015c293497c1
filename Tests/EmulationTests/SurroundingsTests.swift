import Receivers
import Testing

@testable import Emulation

@Suite("Surroundings of an emulated receiver")
struct SurroundingsTests {
    private struct Errors {
        /// Metres.
        var distances: [Double] = []
        var isWithin: [Bool] = []
        var steps: [Double] = []
    }

    /// The errors of an hour of tracking on the move, a fix a second.
    private func errors(_ surroundings: Surroundings, seed: UInt64 = 1) -> Errors {
        var noise = TrackingNoise(seed: seed, surroundings: surroundings)
        noise.start()
        var errors = Errors()
        var last: (east: Double, north: Double, up: Double)?
        for _ in 0..<7_200 {
            noise.advance(seconds: 1)
            let error = noise.error(sigma: 3)
            let distance = (error.east * error.east + error.north * error.north).squareRoot()
            errors.distances.append(distance)
            errors.isWithin.append(distance <= noise.statedRadius(sigma: 3))
            if let last {
                let (east, north) = (error.east - last.east, error.north - last.north)
                errors.steps.append((east * east + north * north).squareRoot())
            }
            last = error
        }
        return errors
    }

    private func share(_ values: [Bool]) -> Double { Double(values.count { $0 }) / Double(values.count) }

    @Test func `white errors are independent at each fix, open-sky errors wander, and both fit their stated accuracy`()
    {
        let (white, open) = (errors(.white), errors(.open))
        #expect(white.steps.median > 3)
        #expect(open.steps.median < 1)
        #expect((0.65...0.71).contains(share(white.isWithin)))
        #expect((0.55...0.8).contains(share(open.isWithin)))
    }

    @Test(arguments: [(Surroundings.suburban, 4.0...9), (.urban, 10...25)])
    func `multipath makes errors larger and the stated accuracy too small`(
        surroundings: Surroundings, median: ClosedRange<Double>
    ) {
        let errors = errors(surroundings)
        #expect(median.contains(errors.distances.median))
        #expect((0.03...0.5).contains(share(errors.isWithin)))
        #expect(errors.steps.median < 5)
    }

    @Test func `a receiver at rest keeps its multipath error, and a restart changes it`() {
        var multipath = Multipath(.urban, seed: 3)
        let sigma = multipath.sigma
        for _ in 0..<3_600 { multipath.advance(seconds: 1, isMoving: false) }
        #expect(multipath.sigma == sigma)
        let before = multipath.east
        multipath.start()
        #expect(abs(multipath.east - before) > 0.01)
    }

    @Test func `the same seed gives the same errors`() {
        #expect(errors(.mixed).distances == errors(.mixed).distances)
        #expect(errors(.mixed).distances != errors(.mixed, seed: 2).distances)
    }
}
