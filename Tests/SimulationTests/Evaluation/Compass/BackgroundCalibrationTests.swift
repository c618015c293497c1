import Emulation
import Magnetism
import SextantUnits
import Simulation
import Testing

@Suite("Background calibration")
struct BackgroundCalibrationTests {
    /// A board that lives: it is sampled once a second.
    private struct Life {
        var board: CompassBoard
        var random: SplitMix64
        var background: BackgroundCalibration
        var second: Int64 = 0
        var adopted: [CompassCalibration] = []

        init(seed: UInt64 = 4, calibration: CompassCalibration? = nil) {
            random = SplitMix64(seed: seed)
            board = CompassBoard(noise: 0.5, random: &random)
            background = BackgroundCalibration(calibration: calibration)
        }

        mutating func live(_ seconds: Int, _ motion: CompassBoard.Motion = .everyWay) {
            for _ in 0..<seconds { take(CompassAttitude(motion, &random)) }
        }

        mutating func rest(_ seconds: Int) {
            for _ in 0..<seconds { take(CompassAttitude(heading: 70, pitch: 3, roll: -4)) }
        }

        private mutating func take(_ attitude: CompassAttitude) {
            let sample = board.sample(attitude, hasGravity: true, random: &random)
            second += 1
            let taken = background.sensed(
                CompassSample(
                    instant: MonotonicInstant(nanoseconds: second * 1_000_000_000), field: sample.field,
                    acceleration: sample.acceleration))
            if let taken { adopted.append(taken) }
        }

        var error: Double { background.calibration.map { board.headingError($0, roll: 0) } ?? .infinity }
    }

    @Test func `without a calibration one is found once the board has been turned`() {
        var life = Life()
        #expect(life.background.calibration == nil)
        life.rest(300)
        #expect(life.background.calibration == nil)
        #expect(life.adopted.isEmpty)
        life.live(200)
        #expect(life.error < 1)
    }

    @Test func `a car's turns give a planar calibration, and a walk then gives a spatial one`() {
        var life = Life()
        life.live(300, .tilted(2))
        #expect(life.background.calibration?.reach == .planar)
        life.live(600)
        #expect(life.background.calibration?.reach == .spatial)
        #expect(life.error < 1)
    }

    @Test func `a calibration is replaced only by a clearly better one, and fits are rare`() {
        var life = Life()
        life.live(3600)
        let fits = life.background.fitCount
        #expect(life.adopted.count <= 4)
        life.live(3600)
        #expect(life.adopted.count <= 4)
        #expect(life.background.fitCount - fits <= 3)
    }

    @Test func `a lorry beside the board for some minutes changes nothing`() {
        var life = Life()
        life.live(400)
        let before = life.background.calibration
        life.board.hardIron += SIMD3(25, -10, 5)
        life.live(300)
        life.board.hardIron -= SIMD3(25, -10, 5)
        life.live(300)
        #expect(life.background.calibration == before)
    }

    @Test func `iron that stays is calibrated for, after ten minutes`() {
        var life = Life()
        life.live(400)
        life.board.hardIron += SIMD3(25, -10, 5)
        life.live(300)
        #expect(life.error > 5)
        life.live(900)
        #expect(life.error < 1.5)
    }

    @Test func `a board that rests beside new iron gets no new calibration`() {
        var life = Life()
        life.live(400)
        let before = life.background.calibration
        life.board.hardIron += SIMD3(25, -10, 5)
        life.rest(1200)
        #expect(life.background.calibration == before)
    }

    @Test func `saturated samples are not used`() {
        var background = BackgroundCalibration(calibration: nil)
        for second in 0..<200 as Range<Int64> {
            let field = SIMD3(Double(second % 20) * 5, Double(second % 7) * 10, Double(second % 11) * 7)
            let taken = background.sensed(
                CompassSample(
                    instant: MonotonicInstant(nanoseconds: second * 1_000_000_000), field: field, isSaturated: true))
            #expect(taken == nil)
        }
        #expect(background.fitCount == 0)
    }
}
