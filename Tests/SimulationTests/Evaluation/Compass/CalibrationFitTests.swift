import Emulation
import Magnetism
import SextantUnits
import Simulation
import Testing

@Suite("Calibration fit")
struct CalibrationFitTests {
    private func refusal(
        _ samples: [CalibrationSample], _ setting: CalibrationFit.Setting = CalibrationFit.Setting()
    ) -> CalibrationRefusal? {
        do throws(CalibrationRefusal) {
            _ = try CalibrationFit(samples, setting)
            return nil
        } catch {
            return error
        }
    }

    private func board(seed: UInt64 = 4, noise: Double = 0.5) -> (CompassBoard, SplitMix64) {
        var random = SplitMix64(seed: seed)
        let board = CompassBoard(noise: noise, random: &random)
        return (board, random)
    }

    private func samples(_ count: Int, _ motion: CompassBoard.Motion = .everyWay, hasGravity: Bool = false)
        -> [CalibrationSample]
    {
        var (board, random) = board()
        return board.samples(count, motion, hasGravity: hasGravity, random: &random)
    }

    // MARK: Outliers

    @Test(arguments: [300, 60], [false, true])
    func `one outlier of 30 µT in twenty samples changes no heading by 0·2 degrees`(count: Int, hasGravity: Bool) throws
    {
        for seed in 0..<3 as Range<UInt64> {
            var (board, random) = board(seed: seed)
            let clean = board.samples(count, .everyWay, hasGravity: hasGravity, random: &random)
            var dirty = clean
            for index in stride(from: 3, to: count, by: 20) {
                let direction = CompassAttitude(.everyWay, &random).up
                dirty[index].field += 30 * direction
            }
            let setting = CalibrationFit.Setting(earth: hasGravity ? board.earth : nil)
            let before = try CalibrationFit(clean, setting).calibration
            let after = try CalibrationFit(dirty, setting).calibration
            for roll in [0.0, 25] {
                for heading in stride(from: 0.0, to: 360, by: 15) {
                    let attitude = CompassAttitude(heading: heading, pitch: 0, roll: roll)
                    let raw = board.raw(attitude)
                    let turned =
                        attitude.heading(of: before.apply(to: raw)) - attitude.heading(of: after.apply(to: raw))
                    #expect(abs(turned - (turned / 360).rounded() * 360) < (count == 300 ? 0.2 : 0.6))
                }
            }
        }
    }

    // MARK: What is found

    @Test func `finds the hard iron, the field's norm and its dip`() throws {
        var (board, random) = board()
        let samples = board.samples(400, .everyWay, hasGravity: true, random: &random)
        let fit = try CalibrationFit(samples, CalibrationFit.Setting(earth: board.earth))
        let rest = fit.calibration.offset - board.hardIron
        #expect((rest * rest).sum().squareRoot() < 0.3)
        #expect(fit.calibration.norm == 48)
        #expect(abs(fit.calibration.residual - 0.5) < 0.1)
        let inclination = try #require(fit.inclination)
        #expect(abs(inclination - 64) < 0.3)
        #expect(fit.usesGravity)
        #expect(fit.outlierCount <= 2)
        #expect(fit.coverage.filledShare > 0.9)
        #expect(fit.residuals.count == 400)
    }

    @Test func `finds the rotation of the accelerometer against the magnetometer`() throws {
        var (board, random) = board()
        var samples = board.samples(300, .everyWay, hasGravity: true, random: &random)
        let straight = try CalibrationFit(samples)
        #expect(straight.turn == 0)
        // Five degrees about z.
        let (sine, cosine) = (0.08716, 0.99619)
        for index in samples.indices {
            guard let a = samples[index].acceleration else { continue }
            samples[index].acceleration = SIMD3(cosine * a.x - sine * a.y, sine * a.x + cosine * a.y, a.z)
        }
        let fit = try CalibrationFit(samples)
        #expect(abs(fit.turn - 5) < 0.5)
    }

    @Test func `an accelerometer with wrongly assigned axes is ignored`() throws {
        var samples = samples(300, hasGravity: true)
        for index in samples.indices {
            guard let a = samples[index].acceleration else { continue }
            samples[index].acceleration = SIMD3(-a.x, a.z, a.y)
        }
        let fit = try CalibrationFit(samples)
        #expect(!fit.usesGravity)
        #expect(fit.calibration.reach == .spatial)
        #expect(fit.calibration.levelHeadingError < 0.5)
    }

    @Test func `a car's turns give a planar calibration with a large error when tilted`() throws {
        let fit = try CalibrationFit(samples(200, .tilted(1)))
        #expect(fit.calibration.reach == .planar)
        #expect(fit.calibration.levelHeadingError < 1)
        #expect(fit.calibration.tiltedHeadingError > 20)
    }

    // MARK: What is refused

    @Test func `no samples, or too few, are refused`() {
        #expect(refusal([]) == .tooFew(count: 0, needed: 12))
        #expect(refusal(samples(3)) == .tooFew(count: 3, needed: 12))
    }

    @Test func `a sample that is not a number is refused with its index`() {
        var samples = samples(50)
        samples[7].field.y = .nan
        #expect(refusal(samples) == .notANumber(index: 7))
        samples[7].field.y = 0
        samples[9].acceleration = SIMD3(0, .infinity, 0)
        #expect(refusal(samples) == .notANumber(index: 9))
    }

    @Test func `samples that are all alike are refused, with and without noise`() {
        let same = [CalibrationSample](repeating: CalibrationSample(field: SIMD3(20, 10, -40)), count: 100)
        #expect(refusal(same) == .allAlike(spread: 0))
        var (board, random) = board()
        let attitude = CompassAttitude(heading: 40, pitch: 0, roll: 0)
        let resting = (0..<100).map { _ in board.sample(attitude, hasGravity: true, random: &random) }
        guard case .allAlike = refusal(resting) else {
            Issue.record("a resting board is not calibrated: \(String(describing: refusal(resting)))")
            return
        }
    }

    @Test func `samples along a line or of half a turn are refused`() {
        let line = (0..<100).map { CalibrationSample(field: SIMD3(Double($0) / 2, Double($0) / 4, 10)) }
        #expect(refusal(line) == .line)
        var (board, random) = board()
        let half = (0..<100).map { index in
            board.sample(
                CompassAttitude(heading: Double(index) * 1.5, pitch: 0, roll: 0), hasGravity: false, random: &random)
        }
        guard case .arc = refusal(half) else {
            Issue.record("half a turn is no calibration: \(String(describing: refusal(half)))")
            return
        }
    }

    @Test func `samples clipped at the end of the chip's range are refused`() {
        let clipped = samples(300).map { sample in
            CalibrationSample(
                field: sample.field.clamped(lowerBound: SIMD3(repeating: -40), upperBound: SIMD3(repeating: 40)))
        }
        guard case .saturated = refusal(clipped) else {
            Issue.record("a clipped sensor is no calibration: \(String(describing: refusal(clipped)))")
            return
        }
    }

    @Test func `a field strength that occurs nowhere on Earth is refused`() {
        let strong = samples(300).map { CalibrationSample(field: 3 * $0.field) }
        guard case .impossibleNorm(let norm) = refusal(strong) else {
            Issue.record("144 µT are not the Earth's: \(String(describing: refusal(strong)))")
            return
        }
        #expect(abs(norm - 144) < 20)
    }

    @Test func `a scale error of a quarter is found by comparison with the world model`() {
        let wrong = samples(300, hasGravity: true).map {
            CalibrationSample(field: 1.3 * $0.field, acceleration: $0.acceleration)
        }
        #expect(refusal(wrong) == nil)
        guard case .normAgainstModel = refusal(wrong, .init(earth: EarthField(norm: 48, inclination: 64))) else {
            Issue.record("the norm is not the model's")
            return
        }
    }

    @Test func `noise too large for any calibration is refused`() {
        var (board, random) = board(noise: 9)
        let refusal = refusal(board.samples(300, .everyWay, hasGravity: false, random: &random))
        guard case .residualTooLarge = refusal else {
            Issue.record("9 µT of noise are too many: \(String(describing: refusal))")
            return
        }
    }

    @Test func `any samples give a finite calibration or a refusal`() {
        var random = SplitMix64(seed: 1)
        for round in 0..<70 {
            let size = [1e-3, 1, 50, 5e5][round % 4]
            let shape = SIMD3(1, round % 3 == 0 ? 0 : 1, round % 5 == 0 ? 0 : random.nextUnit())
            let center = 100 * SIMD3(random.nextGaussian(), random.nextGaussian(), random.nextGaussian())
            let samples = (0..<(10 + round % 40)).map { index in
                let way = CompassAttitude(.everyWay, &random).up * (round % 7 == 0 ? random.nextUnit() : 1)
                return CalibrationSample(
                    field: (index % 9 == 0 ? .zero : center) + size * shape * way,
                    acceleration: round % 2 == 0 ? 9.8 * CompassAttitude(.everyWay, &random).up : nil)
            }
            guard let fit = try? CalibrationFit(samples) else { continue }
            let calibration = fit.calibration
            #expect(calibration.norm > 0 && calibration.norm <= 75)
            #expect(calibration.levelHeadingError >= 0 && calibration.tiltedHeadingError <= 90)
            let field = calibration.apply(to: center)
            #expect((field * field).sum().isFinite)
        }
    }
}
