import Magnetism
import SextantUnits
import Testing

@Suite("Background calibration over time")
struct BackgroundCalibrationTimeTests {
    /// A board that is sampled once a second, but for the time that it sleeps.
    private struct Life {
        var board = CompassBoard(seed: 3)
        var background: BackgroundCalibration
        var second = 0.0
        var found: [CompassCalibration] = []

        init(isCalibrated: Bool) {
            background = BackgroundCalibration(calibration: isCalibrated ? board.calibration : nil)
        }

        mutating func live(_ seconds: Int, _ attitude: (inout HeadingChance, Int) -> Attitude) {
            for step in 0..<seconds {
                second += 1
                let sample = board.sample(attitude(&board.chance, step), at: second)
                if let calibration = background.sensed(sample) { found.append(calibration) }
            }
        }

        /// In every attitude.
        mutating func tumble(_ seconds: Int) {
            live(seconds) { chance, _ in
                Attitude(
                    heading: chance.uniform(0...360), pitch: chance.uniform(-80...80), roll: chance.uniform(-180...180))
            }
        }
    }

    private static let iron = SIMD3(25.0, -10, 5)

    @Test func `time asleep beside iron does not count as time in which the iron was seen`() {
        var life = Life(isCalibrated: true)
        life.board.calibration.offset += Self.iron
        var moved = BackgroundCalibration(calibration: life.board.calibration)
        swap(&life.background, &moved)
        life.tumble(150)
        life.second += 8 * 3600
        life.tumble(150)
        #expect(life.found.isEmpty)
        life.tumble(600)
        #expect(life.found.count == 1)
    }

    @Test func `a board fitted beside iron after half a turn is calibrated in the end`() throws {
        var life = Life(isCalibrated: false)
        life.live(40) { _, step in Attitude(heading: 4.5 * Double(step)) }
        // What the board carries goes with it: iron of the chip's frame.
        let offset = life.board.calibration.offset + 6 * Self.iron
        life.board.hardIron = offset
        life.live(900) { chance, step in
            Attitude(heading: 7 * Double(step), pitch: chance.uniform(-3...3), roll: chance.uniform(-3...3))
        }
        let rest = try #require(life.found.last).offset - offset
        #expect(abs(rest.x) < 2 && abs(rest.y) < 2)
    }

    @Test func `samples more than a week old are not used together with new ones`() throws {
        var life = Life(isCalibrated: false)
        life.live(35) { _, step in Attitude(heading: 4.5 * Double(step)) }
        let offset = life.board.calibration.offset + 3 * Self.iron
        life.board.hardIron = offset
        life.second += 8 * 86_400
        life.live(150) { _, step in Attitude(heading: 7 * Double(step)) }
        let rest = try #require(life.found.first).offset - offset
        #expect(abs(rest.x) < 2 && abs(rest.y) < 2)
    }
}
