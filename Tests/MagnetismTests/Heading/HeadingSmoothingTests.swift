import Magnetism
import SextantUnits
import Testing

@Suite("Heading estimator in time")
struct HeadingSmoothingTests {
    /// Root mean square of the errors of a still board's headings, and the largest.
    private func scatter(heading: Double, rate: Double) -> (rms: Double, largest: Double) {
        var board = CompassBoard(seed: 2)
        board.fieldNoise = 1
        board.forceNoise = 0
        var estimator = HeadingEstimator()
        var calibration = board.calibration
        calibration.residual = 1
        var (squares, largest, count) = (0.0, 0.0, 0.0)
        for step in 0..<Int(200 * rate) {
            let answer = estimator.update(
                board.sample(Attitude(heading: heading), at: Double(step) / rate), calibration: calibration,
                model: board.model)
            let error = headingDifference(answer.magneticHeading, heading)
            guard Double(step) > 5 * rate else { continue }
            squares += error * error
            count += 1
            largest = max(largest, abs(error))
        }
        return ((squares / count).squareRoot(), largest)
    }

    @Test func `averaging works across north`() {
        // One sample's noise is 2.7°.
        for heading in [0.0, 90, 179.9, 359.9] {
            let scatter = scatter(heading: heading, rate: 20)
            #expect(scatter.rms < 1.3 && scatter.largest < 8, "\(heading): \(scatter)")
        }
    }

    @Test func `more samples in the same time reduce the noise`() {
        let rates = [2.0, 10, 50].map { scatter(heading: 45, rate: $0).rms }
        #expect(rates[0] > rates[1] && rates[1] > rates[2])
    }

    @Test func `a turn is followed at once`() {
        var board = CompassBoard(seed: 3)
        var estimator = HeadingEstimator()
        for step in 0..<60 {
            let truth = step < 30 ? 350.0 : 80
            let heading = estimator.update(
                board.sample(Attitude(heading: truth), at: Double(step) / 20), calibration: board.calibration,
                model: board.model)
            #expect(abs(headingDifference(heading.magneticHeading, truth)) < 5)
        }
    }

    @Test(arguments: [1.0, 5, 20, 90]) func `a steady turn lags by little more than the noise`(rate: Double) {
        var board = CompassBoard(seed: 4)
        var estimator = HeadingEstimator()
        var (sum, count) = (0.0, 0.0)
        for step in 0..<600 {
            let truth = rate * Double(step) / 10
            let heading = estimator.update(
                board.sample(Attitude(heading: truth), at: Double(step) / 10), calibration: board.calibration,
                model: board.model)
            sum += headingDifference(heading.magneticHeading, truth)
            count += 1
        }
        // One sample's noise is 1.4°.
        #expect(abs(sum / count) < 2, "\(sum / count)")
    }

    @Test func `nothing is averaged across a gap, and a clock that steps back does no harm`() {
        var board = CompassBoard(seed: 5)
        var estimator = HeadingEstimator()
        for (instant, truth) in [(0.0, 10.0), (0.1, 10), (600, 200), (600, 200), (3, 90), (-5, 90), (9e9, 0)] {
            let heading = estimator.update(
                board.sample(Attitude(heading: truth), at: instant), calibration: board.calibration,
                model: board.model)
            #expect(heading.problem == nil && abs(headingDifference(heading.magneticHeading, truth)) < 8)
        }
    }

    @Test func `a board tilted by hand keeps its heading`() {
        var board = CompassBoard(seed: 6)
        var estimator = HeadingEstimator()
        for step in 0..<300 {
            // To 50° within half a second, and there until the end.
            let pitch = min(50, max(0, 10 * Double(step - 50)))
            let heading = estimator.update(
                board.sample(Attitude(heading: 70, pitch: pitch), at: Double(step) / 10),
                calibration: board.calibration, model: board.model)
            guard heading.problem == nil else { continue }
            #expect(abs(headingDifference(heading.magneticHeading, 70)) < 3 * heading.headingAccuracy)
            if step > 150 { #expect(heading.headingAccuracy < 10) }
        }
    }

    @Test func `a long curve increases the stated uncertainty as long as it lasts`() {
        var board = CompassBoard(seed: 9)
        var estimator = HeadingEstimator()
        // Of an aircraft that banks by 25° and feels nothing of it but its weight.
        for step in 0..<600 {
            var sample = board.sample(Attitude(heading: 40, roll: 25), at: Double(step) / 10)
            sample.acceleration = SIMD3(0, 0, 9.80665 / 0.9063)
            let heading = estimator.update(sample, calibration: board.calibration, model: nil)
            guard heading.problem == nil else { continue }
            let error = abs(headingDifference(heading.magneticHeading, 40))
            #expect(error < 3 * heading.headingAccuracy, "\(error) \(heading.headingAccuracy)")
        }
    }

    @Test func `any input gives a finite heading or the reason why there is none`() {
        var chance = HeadingChance(seed: 7)
        let wild = [Double.nan, .infinity, -.infinity, 0, 1e300, -1e-300, 1e9]
        func number() -> Double {
            chance.uniform() < 0.05 ? wild[Int(chance.uniform() * 7)] : 40 * chance.normal()
        }
        let board = CompassBoard(seed: 7)
        var estimator = HeadingEstimator()
        for _ in 0..<3000 {
            let sample = CompassSample(
                instant: MonotonicInstant(nanoseconds: Int64(1e9 * chance.uniform(-100...100))),
                field: SIMD3(number(), number(), number()), isSaturated: chance.uniform() < 0.01,
                acceleration: chance.uniform() < 0.1 ? nil : SIMD3(number(), number(), number()) / 8)
            let heading = estimator.update(
                sample, calibration: chance.uniform() < 0.9 ? board.calibration : nil,
                model: chance.uniform() < 0.5 ? board.model : nil)
            for orientation in HeadingOrientation.allCases {
                let turned = heading.turned(to: orientation)
                #expect((0..<360).contains(turned.magneticHeading))
                #expect((turned.problem == nil) == (turned.headingAccuracy >= 0))
                #expect(turned.headingAccuracy.isFinite)
            }
        }
    }
}
