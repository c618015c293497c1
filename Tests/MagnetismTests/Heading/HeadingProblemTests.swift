import Magnetism
import SextantUnits
import Testing

@Suite("Heading estimator where there is no heading")
struct HeadingProblemTests {
    // MARK: What is no heading

    @Test func `an uncalibrated or saturated compass reports its field and no heading`() {
        var board = CompassBoard(seed: 5)
        let raw = board.settled(Attitude(heading: 10), isCalibrated: false)
        #expect(raw.problem == .uncalibrated && raw.headingAccuracy < 0 && raw.trueHeading == nil)
        #expect((0..<360).contains(raw.magneticHeading))
        var estimator = HeadingEstimator()
        var sample = board.sample(Attitude(heading: 10), at: 0)
        sample.isSaturated = true
        let saturated = estimator.update(sample, calibration: board.calibration, model: nil)
        #expect(saturated.problem == .saturated && saturated.headingAccuracy < 0)
        sample = CompassSample(instant: .zero, field: SIMD3(.nan, 1, 1))
        #expect(estimator.update(sample, calibration: board.calibration, model: nil).problem == .saturated)
        sample = CompassSample(instant: .zero, field: board.calibration.offset)
        #expect(estimator.update(sample, calibration: board.calibration, model: nil).problem == .blackout)
    }

    @Test func `near the magnetic poles there is no heading, with or without a position`() {
        var board = CompassBoard(seed: 12)
        board.earth = SIMD3(0, 1.5, -57)
        let model = GeomagneticField(north: 1500, east: 0, down: 57_000)
        var estimator = HeadingEstimator()
        for known in [model, nil] {
            let heading = estimator.update(
                board.sample(Attitude(heading: 10), at: 0), calibration: board.calibration, model: known)
            #expect(heading.problem == .blackout && heading.headingAccuracy < 0)
        }
    }

    @Test func `strong acceleration disturbs the estimate of the vertical only for a moment`() {
        var board = CompassBoard(seed: 6)
        var estimator = HeadingEstimator()
        var problems: [HeadingProblem?] = []
        for step in 0..<60 {
            board.movement = (10..<40).contains(step) ? SIMD3(0, 0, 6) : .zero
            let heading = estimator.update(
                board.sample(Attitude(heading: 10), at: Double(step) / 10), calibration: board.calibration,
                model: board.model)
            problems.append(heading.problem)
        }
        #expect(problems[..<15].allSatisfy { $0 == nil })
        #expect(problems[21..<40].allSatisfy { $0 == .accelerating })
        #expect(problems[40...].allSatisfy { $0 == nil })
    }

    @Test func `a board that starts in free fall has no heading until it lands`() {
        var board = CompassBoard(seed: 7)
        board.movement = SIMD3(0, 0, -9.8)
        #expect(board.settled(Attitude()).problem == .accelerating)
        board.movement = .zero
        #expect(board.settled(Attitude()).problem == nil)
    }

    @Test func `an accelerometer that stops answering does not make the board count as level`() {
        var board = CompassBoard(seed: 13)
        var estimator = HeadingEstimator()
        var problems: [HeadingProblem?] = []
        for step in 0..<60 {
            board.hasAccelerometer = !(10..<40).contains(step)
            let heading = estimator.update(
                board.sample(Attitude(heading: 10, roll: 40), at: Double(step) / 10), calibration: board.calibration,
                model: board.model)
            problems.append(heading.problem)
            guard heading.problem == nil else { continue }
            #expect(abs(headingDifference(heading.magneticHeading, 10)) < 2 * heading.headingAccuracy)
        }
        #expect(problems[..<19].allSatisfy { $0 == nil })
        #expect(problems[21..<40].allSatisfy { $0 == .tiltUnknown })
        #expect(problems[40...].allSatisfy { $0 == nil })
    }

    // MARK: Disturbance

    @Test func `a magnet invalidates the heading at once, until it has been gone for a while`() {
        var board = CompassBoard(seed: 8)
        var estimator = HeadingEstimator()
        var problems: [HeadingProblem?] = []
        for step in 0..<100 {
            board.disturbance = (20..<30).contains(step) ? SIMD3(15, 5, -10) : .zero
            let heading = estimator.update(
                board.sample(Attitude(heading: 10), at: Double(step) / 10), calibration: board.calibration,
                model: board.model)
            #expect((heading.problem == nil) == (heading.headingAccuracy >= 0))
            problems.append(heading.problem)
        }
        #expect(problems[..<20].allSatisfy { $0 == nil })
        #expect(problems[20..<59].allSatisfy { $0 == .disturbed })
        #expect(problems[70...].allSatisfy { $0 == nil })
    }

    @Test func `with a disturbance that comes and goes the heading stays invalid in between`() {
        var board = CompassBoard(seed: 9)
        var estimator = HeadingEstimator()
        for step in 0..<600 {
            board.disturbance = step % 30 < 10 ? SIMD3(0, 12, 12) : .zero
            let heading = estimator.update(
                board.sample(Attitude(heading: 10), at: Double(step) / 10), calibration: board.calibration,
                model: board.model)
            #expect(heading.problem == .disturbed)
        }
    }

    @Test func `a disturbance shows in the field's strength, and with a position also in its dip`() {
        var board = CompassBoard(seed: 10)
        board.disturbance = SIMD3(0, 0, -15)
        #expect(board.settled(Attitude(heading: 10), knowsPlace: false).problem == .disturbed)
        // Of the Earth's strength and 20° less steep.
        let dip = Trigonometry.sineAndCosine(44 / Trigonometry.degreesPerRadian)
        board.disturbance = 48 * SIMD3(0, dip.cosine, -dip.sine) - board.earth
        #expect(board.settled(Attitude(heading: 10), knowsPlace: false).problem == nil)
        #expect(board.settled(Attitude(heading: 10)).problem == .disturbed)
    }

    /// Of the Earth's strength, and turned to the east: what is horizontal of it is 15 µT more that way.
    private static func ironAcross(_ board: CompassBoard) -> SIMD3<Double> {
        let horizontal = (15 * 15 + board.earth.y * board.earth.y).squareRoot()
        return SIMD3(15, board.earth.y, -(48 * 48 - horizontal * horizontal).squareRoot()) - board.earth
    }

    @Test func `without a position a changed dip shows a disturbance, and a lasting one increases the uncertainty`() {
        var board = CompassBoard(seed: 10)
        var estimator = HeadingEstimator()
        let iron = Self.ironAcross(board)
        var headings: [CompassHeading] = []
        for second in 0..<300 {
            board.disturbance = (20..<200).contains(second) ? iron : .zero
            headings.append(
                estimator.update(
                    board.sample(Attitude(heading: 10), at: Double(second)), calibration: board.calibration, model: nil)
            )
        }
        #expect(headings[..<20].allSatisfy { $0.problem == nil })
        #expect(headings[20..<80].allSatisfy { $0.problem == .disturbed })
        // It is wrong by 35°.
        #expect(headings[90..<200].allSatisfy { $0.problem == nil && (17...35).contains($0.headingAccuracy) })
        #expect(headings[280...].allSatisfy { $0.problem == nil && $0.headingAccuracy < 5 })
    }

    @Test func `a position or a new calibration ends that added uncertainty`() {
        for isPlace in [true, false] {
            var board = CompassBoard(seed: 10)
            var estimator = HeadingEstimator()
            let iron = Self.ironAcross(board)
            var last: CompassHeading?
            for second in 0..<120 {
                board.disturbance = (20..<(isPlace ? 100 : 120)).contains(second) ? iron : .zero
                if second == 100, !isPlace { board.calibration.residual += 0.01 }
                last = estimator.update(
                    board.sample(Attitude(heading: 10), at: Double(second)), calibration: board.calibration,
                    model: second > 100 && isPlace ? board.model : nil)
            }
            #expect(last.map { $0.problem == nil && (0..<5).contains($0.headingAccuracy) } == true)
        }
    }

    @Test func `a wrong scale of the chip is not taken for a disturbance`() {
        var board = CompassBoard(seed: 11)
        for scale in [0.75, 0.93, 1.06, 1.3] {
            let calibration = CompassCalibration(
                reach: .spatial, offset: board.calibration.offset,
                matrix: Matrix3(columns: SIMD3(scale, 0, 0), SIMD3(0, scale, 0), SIMD3(0, 0, scale)), norm: 48 * scale,
                residual: 0.5, levelHeadingError: 0.5, tiltedHeadingError: 0.5)
            var estimator = HeadingEstimator()
            for step in 0..<50 {
                let heading = estimator.update(
                    board.sample(Attitude(heading: 300), at: Double(step) / 10), calibration: calibration,
                    model: board.model)
                #expect(heading.problem == nil)
            }
        }
    }
}
