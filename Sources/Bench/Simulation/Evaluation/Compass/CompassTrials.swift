internal import Emulation
public import Magnetism
internal import SextantUnits

/// One row of the table that simulated compass calibrations are compared with: how the magnetometer is sampled, and the
/// heading errors that a plain algebraic fit then leaves.
///
/// The plain fit is the one by Li and Griffiths (2004) alone; its errors are median and 95th percentile of 200
/// simulated trials, in degrees.
public struct CompassTrialRow: Sendable {
    public var name: String
    public var count: Int
    public var noise: Double
    public var motion: CompassBoard.Motion
    public var level: (median: Double, high: Double)
    public var tilted: (median: Double, high: Double)
    /// Whether the samples cover the whole sphere.
    public var isFull: Bool { motion == .everyWay }

    public static let all: [CompassTrialRow] = [
        CompassTrialRow(
            name: "300 points, full sphere, 0.5 µT", count: 300, noise: 0.5, motion: .everyWay, level: (0.18, 0.35),
            tilted: (0.19, 0.32)),
        CompassTrialRow(
            name: "60 points, full sphere, 0.5 µT", count: 60, noise: 0.5, motion: .everyWay, level: (0.44, 0.87),
            tilted: (0.43, 0.88)),
        CompassTrialRow(
            name: "300 points, full sphere, 1.5 µT", count: 300, noise: 1.5, motion: .everyWay, level: (0.58, 1.18),
            tilted: (0.54, 1.10)),
        CompassTrialRow(
            name: "300 points, tilt within 30°, 0.5 µT", count: 300, noise: 0.5, motion: .tilted(30),
            level: (0.48, 1.13), tilted: (3.19, 4.47)),
        CompassTrialRow(
            name: "300 points, tilt within 15°, 0.5 µT", count: 300, noise: 0.5, motion: .tilted(15),
            level: (1.23, 2.60), tilted: (9.6, 12.3)),
        CompassTrialRow(
            name: "300 points, tilt within 5°, 0.5 µT", count: 300, noise: 0.5, motion: .tilted(5),
            level: (1.85, 4.0), tilted: (15.8, 19.2)),
    ]
}

/// The data that the fit of a compass calibration gets in addition to the measured field.
public enum CompassKnowledge: String, Sendable, CaseIterable {
    /// No additional data; for comparison, the plain algebraic fit by Li and Griffiths takes the place of Sextant's
    /// own.
    case plain
    case field
    case gravity
    /// The direction of gravity, and the field strength and dip of the world magnetic model.
    case model
}

/// Simulated calibrations, each of a different board, that are sampled as one row of the comparison table says.
public struct CompassTrials: Sendable {
    /// The true heading errors of level boards in degrees, in ascending order.
    public private(set) var level: [Double] = []
    public private(set) var tilted: [Double] = []
    public private(set) var expectedLevel: [Double] = []
    public private(set) var expectedTilted: [Double] = []
    /// The mean over the trials of (true heading error / error stated by the calibration)²; 1 if the stated errors are
    /// right.
    public private(set) var levelHonesty = 0.0
    public private(set) var tiltedHonesty = 0.0
    public private(set) var spatialCount = 0
    public private(set) var refusals: [CalibrationRefusal] = []

    public init(_ row: CompassTrialRow, _ knowledge: CompassKnowledge, count: Int, seed: UInt64) {
        for trial in 0..<count {
            var random = SplitMix64(seed: seed &+ UInt64(trial) &* 7919)
            let board = CompassBoard(noise: row.noise, random: &random)
            let hasGravity = knowledge == .gravity || knowledge == .model
            let samples = board.samples(row.count, row.motion, hasGravity: hasGravity, random: &random)
            run(board, samples, knowledge)
        }
        levelHonesty = zip(level, expectedLevel).reduce(0) { $0 + $1.0 * $1.0 / ($1.1 * $1.1) } / Double(level.count)
        tiltedHonesty =
            zip(tilted, expectedTilted).reduce(0) { $0 + $1.0 * $1.0 / ($1.1 * $1.1) } / Double(level.count)
        level.sort()
        tilted.sort()
        expectedLevel.sort()
        expectedTilted.sort()
    }

    private mutating func run(_ board: CompassBoard, _ samples: [CalibrationSample], _ knowledge: CompassKnowledge) {
        do throws(CalibrationRefusal) {
            let setting = CalibrationFit.Setting(earth: knowledge == .model ? board.earth : nil)
            let calibration =
                knowledge == .plain ? CompassTrials.plain(samples) : try CalibrationFit(samples, setting).calibration
            level.append(board.headingError(calibration, roll: 0))
            tilted.append(board.headingError(calibration, roll: 25))
            expectedLevel.append(calibration.levelHeadingError)
            expectedTilted.append(calibration.tiltedHeadingError)
            if calibration.reach == .spatial { spatialCount += 1 }
        } catch {
            refusals.append(error)
        }
    }

    /// The plain algebraic fit, for comparison; its calibration states errors of 0 and claims to be valid for all
    /// attitudes.
    private static func plain(_ samples: [CalibrationSample]) -> CompassCalibration {
        let fit = EllipsoidFit(samples.map(\.field))
        return CompassCalibration(
            reach: .spatial, offset: fit?.center ?? .zero, matrix: fit?.matrix ?? .identity, norm: 1, residual: 0,
            levelHeadingError: 0, tiltedHeadingError: 0)
    }
}
