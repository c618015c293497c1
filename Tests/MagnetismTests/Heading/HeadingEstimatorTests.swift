import Magnetism
import SextantUnits
import Testing

@Suite("Heading estimator")
struct HeadingEstimatorTests {
    /// A board without any error.
    private func perfect(seed: UInt64 = 1) -> CompassBoard {
        var board = CompassBoard(seed: seed)
        (board.fieldNoise, board.forceNoise) = (0, 0)
        return board
    }

    // MARK: Tilt

    @Test func `the heading is right in every attitude that has one`() {
        var board = perfect()
        for _ in 0..<300 {
            let attitude = Attitude(
                heading: board.chance.uniform(0...360), pitch: board.chance.uniform(-70...70),
                roll: board.chance.uniform(-180...180))
            let heading = board.settled(attitude, seconds: 1)
            #expect(heading.problem == nil)
            #expect(abs(headingDifference(heading.magneticHeading, attitude.heading)) < 1e-6)
            #expect((0..<360).contains(heading.magneticHeading) && heading.headingAccuracy > 0)
        }
    }

    @Test func `each chip has its own mounting`() throws {
        let magnetometer = try Mounting(x: .down, y: .left)
        let accelerometer = try Mounting(x: .backward, y: .up, turn: 20)
        var board = perfect()
        let attitude = Attitude(heading: 222, pitch: 20, roll: -35)
        let seen = board.sample(attitude, at: 0)
        let force = try #require(seen.acceleration)
        // What each chip's axes see of the vectors in the device's frame.
        func chip(_ mounting: Mounting, _ vector: SIMD3<Double>) -> SIMD3<Double> {
            let axes = [SIMD3<Double>(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 1)].map(mounting.deviceFrame)
            return SIMD3((axes[0] * vector).sum(), (axes[1] * vector).sum(), (axes[2] * vector).sum())
        }
        let calibrated = board.calibration.apply(to: seen.field)
        var calibration = board.calibration
        calibration.offset = .zero
        var estimator = HeadingEstimator(magnetometer: magnetometer, accelerometer: accelerometer)
        let heading = estimator.update(
            CompassSample(
                instant: .zero, field: chip(magnetometer, calibrated), acceleration: chip(accelerometer, force)),
            calibration: calibration, model: board.model)
        #expect(abs(headingDifference(heading.magneticHeading, 222)) < 1e-6)
        let difference = heading.field - calibrated
        #expect((difference * difference).sum() < 1e-12)
    }

    @Test func `the heading has no value when the device's front points up, but other orientations do`() {
        var board = perfect()
        let upright = board.settled(Attitude(heading: 30, pitch: 85))
        #expect(upright.problem == .axisIsVertical && upright.headingAccuracy < 0 && upright.trueHeading == nil)
        let right = upright.turned(to: .landscapeLeft)
        #expect(right.problem == nil && abs(headingDifference(right.magneticHeading, 120)) < 1e-6)
        #expect(right.turned(to: .portrait) == upright)
        let steep = board.settled(Attitude(heading: 30, pitch: 70))
        let level = board.settled(Attitude(heading: 30))
        #expect(steep.problem == nil && steep.headingAccuracy > level.headingAccuracy)
    }

    @Test func `without an accelerometer the board is assumed level, and the stated accuracy is larger`() {
        var board = CompassBoard(seed: 3)
        let sure = board.settled(Attitude(heading: 80))
        board.hasAccelerometer = false
        let heading = board.settled(Attitude(heading: 80))
        #expect(abs(headingDifference(heading.magneticHeading, 80)) < 3)
        // 5° times the tangent of the dip, 2.05.
        #expect(sure.headingAccuracy < 5 && (9.9...14).contains(heading.headingAccuracy))
    }

    @Test func `a planar calibration works only on a level board`() {
        let flat = CompassBoard(seed: 4).calibration
        var board = CompassBoard(seed: 4, reach: .planar)
        #expect(board.calibration.offset == flat.offset)
        // What is along the axis is taken out; a roll of 25° brings 35° of error.
        let matrix = Matrix3(columns: SIMD3(1, 0, 0), SIMD3(0, 1, 0), SIMD3(0, 0, 0))
        let calibration = CompassCalibration(
            reach: .planar, offset: flat.offset, matrix: matrix, norm: board.calibration.norm, residual: 0.5,
            levelHeadingError: 1, tiltedHeadingError: 35)
        func heading(_ attitude: Attitude) -> CompassHeading {
            var estimator = HeadingEstimator()
            var last: CompassHeading?
            for step in 0..<30 {
                last = estimator.update(
                    board.sample(attitude, at: Double(step) / 10), calibration: calibration, model: board.model)
            }
            return last
                ?? estimator.update(
                    board.sample(attitude, at: 3), calibration: calibration, model: board.model)
        }
        let (level, sloping) = (heading(Attitude(heading: 200)), heading(Attitude(heading: 200, roll: 5)))
        #expect(level.problem == nil && abs(headingDifference(level.magneticHeading, 200)) < 3)
        #expect(level.headingAccuracy < 5)
        #expect(sloping.problem == nil && (5...12).contains(sloping.headingAccuracy))
        #expect(abs(headingDifference(sloping.magneticHeading, 200)) < 2 * sloping.headingAccuracy)
        #expect(heading(Attitude(heading: 200, pitch: 20)).problem == .notCalibratedForThisTilt)
    }

    // MARK: True north

    @Test func `true heading is magnetic heading plus declination`() throws {
        var board = perfect()
        let heading = board.settled(Attitude(heading: 358))
        #expect(abs(heading.magneticHeading - 358) < 1e-6)
        let trueHeading = try #require(heading.trueHeading)
        #expect(abs(trueHeading - 2) < 1e-6)
        let turned = heading.turned(to: .landscapeRight)
        #expect(turned.trueHeading.map { abs($0 - 272) < 1e-6 } == true)
    }

    @Test func `without a position, or outside the model's valid years, there is no true heading`() {
        var board = perfect()
        let nowhere = board.settled(Attitude(heading: 10), knowsPlace: false)
        #expect(nowhere.problem == nil && nowhere.trueHeading == nil)
        var model = board.model
        model.validity = .after
        var estimator = HeadingEstimator()
        let late = estimator.update(
            board.sample(Attitude(heading: 10), at: 0), calibration: board.calibration, model: model)
        #expect(late.problem == nil && late.trueHeading == nil && late.declination == nil)
    }
}
