import Magnetism
import SextantUnits
import Testing

/// Whether headings are as good as they say, on boards with random errors.
///
/// Each board's calibration leaves 0.3 to 1 µT of hard iron, its accelerometer is off by 20 mg on each axis, and its
/// samples have noise of 0.5 µT.
@Suite("Heading estimator's candour")
struct HeadingCandourTests {
    private func board(_ seed: Int) -> CompassBoard {
        var chance = HeadingChance(seed: UInt64(seed) &+ 1000)
        var board = CompassBoard(seed: UInt64(seed), calibrationDeviation: chance.uniform(0.3...1))
        board.forceOffset = 0.2 * chance.vector()
        return board
    }

    private func attitude(_ board: inout CompassBoard, tilt: Double) -> Attitude {
        Attitude(
            heading: board.chance.uniform(0...360), pitch: tilt * board.chance.normal(),
            roll: tilt * board.chance.normal())
    }

    /// What boards tell that lie still beside something that adds a field of random direction.
    private func still(
        _ boards: Int, disturbance: (inout HeadingChance) -> Double, knowsPlace: Bool = true
    ) -> HeadingTally {
        var tally = HeadingTally()
        for seed in 1...boards {
            var board = board(seed)
            let attitude = attitude(&board, tilt: 10)
            board.disturbance = disturbance(&board.chance) / 3.0.squareRoot() * board.chance.vector()
            tally.add(board.settled(attitude, seconds: 4, knowsPlace: knowsPlace), truth: attitude.heading)
        }
        return tally
    }

    /// What boards tell that are moved and turned; the closure is asked before each tenth of a second.
    private func moving(
        _ boards: Int, steps: Int, knowsPlace: Bool = true,
        _ move: (inout CompassBoard, inout Attitude, _ step: Int) -> Void
    ) -> HeadingTally {
        var tally = HeadingTally()
        for seed in 1...boards {
            var board = board(seed)
            var attitude = attitude(&board, tilt: 5)
            var estimator = HeadingEstimator()
            for step in 0..<steps {
                move(&board, &attitude, step)
                let heading = estimator.update(
                    board.sample(attitude, at: Double(step) / 10), calibration: board.calibration,
                    model: knowsPlace ? board.model : nil)
                tally.add(heading, truth: attitude.heading)
            }
        }
        return tally
    }

    @Test func `on boards at rest two thirds or more of the headings are within the stated accuracy`() {
        let tally = still(600) { _ in 0 }
        #expect((0.66...0.9).contains(tally.shareWithin), "\(tally)")
        #expect(tally.shareFar < 0.005 && tally.shareInvalid < 0.02, "\(tally)")
        let house = still(600) { chance in chance.uniform(0...4) }
        #expect((0.66...0.9).contains(house.shareWithin), "\(house)")
        #expect(house.shareFar < 0.01 && house.shareInvalid < 0.25, "\(house)")
    }

    @Test func `a noisy magnetometer is not taken for a disturbance`() {
        let tally = moving(30, steps: 300, knowsPlace: false) { board, _, _ in
            board.fieldNoise = 1.5
            board.calibration.residual = 1.6
        }
        #expect(tally.shareInvalid < 0.1 && tally.shareFar < 0.005, "\(tally)")
    }

    @Test(arguments: [0.3, 0.7, 1.5], [0.2, 1, 3])
    func `on moving boards two thirds or more of the headings are within the stated accuracy`(
        strength: Double, time: Double
    ) {
        let kept = Logarithm.exponential(-0.1 / time)
        let tally = moving(20, steps: 200) { board, _, _ in
            let push = (1 - kept * kept).squareRoot() * strength * board.chance.vector() * SIMD3(1, 1, 0.5)
            board.movement = kept * board.movement + push
        }
        #expect(tally.shareWithin > 0.66 && tally.shareFar < 0.015, "\(tally)")
        // What is shaken by 0.7 m/s² is still a compass.
        #expect(tally.shareInvalid < (strength > 1 ? 0.6 : 0.15), "\(tally)")
    }

    @Test(arguments: [10.0, 45, 120])
    func `on turning boards two thirds or more of the headings are within the stated accuracy`(rate: Double) {
        let tally = moving(20, steps: 200) { _, attitude, step in
            if step / 30 % 2 == 1 { attitude.heading += rate / 10 }
        }
        #expect(tally.shareWithin > 0.66 && tally.shareFar < 0.005 && tally.shareInvalid < 0.02, "\(tally)")
    }

    @Test func `on level boards without an accelerometer two thirds or more are within the stated accuracy`() {
        var tally = HeadingTally()
        for seed in 1...600 {
            var board = board(seed)
            board.hasAccelerometer = false
            let attitude = attitude(&board, tilt: 5)
            tally.add(board.settled(attitude, seconds: 1), truth: attitude.heading)
        }
        #expect((0.66...0.85).contains(tally.shareWithin), "\(tally)")
        #expect(tally.shareFar < 0.005 && tally.shareInvalid < 0.05, "\(tally)")
    }

    @Test(arguments: [8.0, 15, 30, 60]) func `on boards beside iron few headings are far off`(strength: Double) {
        let known = still(400, disturbance: { _ in strength })
        #expect(known.shareFar < 0.035, "\(known)")
        #expect(known.shareInvalid > 0.7, "\(known)")
        // Without a position the dip says nothing.
        let unknown = still(400, disturbance: { _ in strength }, knowsPlace: false)
        #expect(unknown.shareFar < 0.12 && unknown.shareInvalid > 0.5, "\(unknown)")
    }

    @Test(arguments: [true, false]) func `on boards passing iron even fewer headings are far off`(knowsPlace: Bool) {
        var iron = SIMD3<Double>.zero
        let tally = moving(100, steps: 220, knowsPlace: knowsPlace) { board, _, step in
            if step == 0 { iron = board.chance.uniform(10...60) / 3.0.squareRoot() * board.chance.vector() }
            // A dipole's field falls with the third power of the distance; 2 s to its half.
            let along = (Double(step) - 140) / 20
            let square = 1 + along * along
            board.disturbance = iron / (square * square.squareRoot())
        }
        #expect(tally.shareFar < 0.015, "\(tally)")
    }
}
