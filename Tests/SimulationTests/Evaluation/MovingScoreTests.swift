import Testing

@testable import Simulation

@Suite("Movement of a truth") struct MovingBoutsTests {
    @Test func `short pauses are bridged and short movements are left out`() throws {
        // The expected seconds are the independent scorer's.
        let truth = try Samples.stopAndGo()
        #expect(MovingBouts(of: truth).bouts == [281..<859, 1421..<1670, 2101..<2286])
        #expect(MovingBouts(of: truth).seconds == 1012)
    }

    @Test func `bouts of movement begin at the first second that counts`() throws {
        let truth = try Samples.stopAndGo()
        #expect(MovingBouts(of: truth, from: 330).bouts == [330..<859, 1421..<1670, 2101..<2286])
        #expect(MovingBouts(of: truth, from: 740).bouts == [1421..<1670, 2101..<2286])
        #expect(MovingBouts(of: truth, from: truth.count).bouts.isEmpty)
    }

    @Test func `a board at rest has no bout of movement, and one always moving has one`() throws {
        #expect(try MovingBouts(of: Samples.walk(seconds: 7200, speed: 0)).bouts.isEmpty)
        #expect(try MovingBouts(of: Samples.walk(seconds: 3600, speed: 2)).bouts == [0..<3601])
        #expect(try MovingBouts(of: Samples.walk(seconds: 3600, speed: 0.8)).bouts.isEmpty)
    }
}

@Suite("Score of moving time") struct MovingScoreTests {
    /// Locations that lag behind, jump ahead, and come too late, on `Samples.stopAndGo`.
    private static let record: RunRecord = {
        let places: [(time: Double, east: Double)] = [
            (20, 4), (330, 150), (345, 225), (420, 600), (500, 1000), (560, 1300), (640, 1500), (700, 1665),
            (800, 2000), (1000, 2110), (1450, 2190), (1480, 2400), (1530, 2900), (1600, 3600), (1640, 4000),
            (2100, 4100), (2130, 4130),
        ]
        var record = RunRecord()
        record.deliveries = places.map { time, east in
            .init(time: 1000 + time, latitude: 0, longitude: east / 111_320, horizontalAccuracy: 5)
        }
        return record
    }()

    private static func score(
        accuracy: Double, _ record: RunRecord = record, _ truth: TruthGrid? = nil
    ) throws -> MovingScore {
        try RunScore(of: record, against: truth ?? Samples.stopAndGo(), accuracy: accuracy, draws: Samples.draws).moving
    }

    private static func isNear(_ value: Double?, _ expected: Double, within tolerance: Double = 0.000_6) -> Bool {
        value.map { abs($0 - expected) <= tolerance } ?? false
    }

    /// The expected figures are the independent scorer's, `moving` of energy.py, with its rounding.
    @Test func `a run of stop and go has the independent scorer's figures`() throws {
        let score = try Self.score(accuracy: 100)
        #expect(Self.isNear(score.movingShare, 0.443))
        #expect(score.bouts == 3)
        #expect(Self.isNear(score.violatedMoving, 0.642))
        #expect(Self.isNear(score.violatedRest, 0.2033, within: 0.000_06))
        #expect(Self.isNear(score.boutP50, 0.635))
        #expect(Self.isNear(score.boutP90, 0.927))
        #expect(Self.isNear(score.rightAgainP90, 151))
        #expect(score.longestMoving == 185)
        #expect(Self.isNear(score.errorMovingP50, 157))
        #expect(Self.isNear(score.errorMovingP95, 434.9))
    }

    @Test func `a run that is never too far off has no violation`() throws {
        let score = try Self.score(accuracy: 10_000)
        #expect(score.violatedMoving == 0 && score.violatedRest == 0)
        #expect(score.boutP50 == 0 && score.boutP90 == 0)
        #expect(score.rightAgainP90 == 0 && score.longestMoving == 0)
    }

    @Test func `a board at rest has no figures for movement`() throws {
        var record = RunRecord()
        record.deliveries = [.init(time: 1005, latitude: 0, longitude: 0, horizontalAccuracy: 5)]
        let score = try Self.score(accuracy: 50, record, Samples.walk(seconds: 3600, speed: 0))
        #expect(score.movingShare == 0 && score.bouts == 0 && score.longestMoving == 0)
        #expect(score.violatedMoving == nil && score.boutP50 == nil && score.boutP90 == nil)
        #expect(score.rightAgainP90 == nil && score.errorMovingP50 == nil && score.errorMovingP95 == nil)
        #expect(score.violatedRest == 0)
    }

    @Test func `a board that never rests has no figure for rest`() throws {
        var record = RunRecord()
        record.deliveries = [.init(time: 1005, latitude: 0, longitude: 10 / 111_320, horizontalAccuracy: 5)]
        let score = try Self.score(accuracy: 50, record, Samples.walk(seconds: 600, speed: 2))
        #expect(score.violatedRest == nil)
        #expect(Self.isNear(score.violatedMoving, 570.0 / 596, within: 1e-9))
        #expect(score.rightAgainP90 == 596 && score.longestMoving == 570)
    }

    @Test func `a run without any delivery is in violation from the start`() throws {
        let score = try Self.score(accuracy: 50, RunRecord())
        #expect(score.violatedMoving == 1 && score.violatedRest == 1)
        #expect(score.boutP50 == 1 && score.longestMoving == 578)
        #expect(score.errorMovingP50 == .infinity)
    }
}
