import Receivers
import Testing

@testable import Simulation

@Suite("RunScore") struct RunScoreTests {
    /// A walk of 100 s at 2 m/s with fixes at its start, after 40 s and after 60 s.
    private static var record: RunRecord {
        var record = RunRecord()
        record.states = [
            .init(time: 990, state: .acquire), .init(time: 1010, state: .track), .init(time: 1020, state: .sleep),
            .init(time: 1040, state: .acquire), .init(time: 1050, state: .track), .init(time: 2000, state: .off),
        ]
        record.deliveries = [(1010, 20.0, 1.0), (1050, 100, 4), (1070, 143, 4)].map { time, east, accuracy in
            RunRecord.Delivery(
                time: time, latitude: 0, longitude: east / 111_320, horizontalAccuracy: accuracy)
        }
        record.sensorUses = [RunRecord.EnergyUse(from: 1000, until: 1100, joules: 2)]
        record.hostUses = [
            RunRecord.EnergyUse(from: 1005, until: 1005, joules: 7),
            RunRecord.EnergyUse(from: 1050, until: 1050, joules: 1),
        ]
        return record
    }

    private static func score(accuracy: Double) throws -> RunScore {
        try RunScore(
            of: record, against: Samples.walk(seconds: 100, speed: 2), accuracy: accuracy, draws: Samples.draws)
    }

    @Test func `energy is counted from the first delivery on`() throws {
        let score = try Self.score(accuracy: 30)
        #expect(score.hours == 0.025)
        #expect(abs(score.receiverJoules - (0.087 * 60 + 0.045e-3 * 20 + 0.096 * 10)) < 1e-12)
        #expect(abs(score.receiverMilliwatts - score.receiverJoules / 0.09) < 1e-9)
        #expect(abs(score.sensorJoules - 1.8) < 1e-12)
        #expect(score.hostJoules == 1)
        #expect(abs(score.deviceMilliwatts - (score.receiverJoules + 2.8) / 0.09) < 1e-9)
        #expect(abs(score.alwaysOnJoules - 0.087 * 90) < 1e-12)
        #expect(score.oracleJoules == nil)
        #expect(score.fixes == 3 && score.starts == 2)
    }

    @Test func `a location is compared with the truth at its own time`() throws {
        #expect(try Self.score(accuracy: 30).coverage68 == 1)
    }

    @Test func `the last location is held until the next one`() throws {
        let truth = try Samples.walk(seconds: 100, speed: 2)
        let errors = HeldErrors(of: Self.record, against: truth)
        #expect(errors.firstSecond == 10 && errors.metres[9] == .infinity)
        let expected = (10...100).map { second in
            abs(Double(second) * 2 - (second < 50 ? 20 : second < 70 ? 100 : 143))
        }
        #expect(zip(errors.metres[10...], expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test func `a run without any delivery has no coverage`() throws {
        let score = try RunScore(
            of: RunRecord(), against: Samples.walk(seconds: 60, speed: 1), accuracy: 30, draws: Samples.draws)
        #expect(score.coverage68 == nil && score.fixes == 0 && score.receiverJoules == 0)
    }

    @Test func `a first delivery after the end of the trace gives no score`() throws {
        var record = RunRecord()
        record.deliveries = [.init(time: 5000, latitude: 0, longitude: 0, horizontalAccuracy: 1)]
        let truth = try Samples.walk(seconds: 60, speed: 1)
        #expect(throws: RunScoreError.deliveredAfterTheEnd(firstDelivery: 5000, traceEnd: 1060)) {
            try RunScore(of: record, against: truth, accuracy: 30, draws: Samples.draws)
        }
    }

    @Test func `power draws come from the catalogue`() {
        var draws = ReceiverDraws(ReceiverModel.neoM8N.powerDraw, resting: .hardware)
        #expect(draws.cyclic == 28.5)
        // The independent scorer has a third of tracking instead.
        draws.cyclic = 29
        #expect(draws == Samples.draws)
    }

    @Test(
        .enabled(if: Samples.hasScorer, Samples.noScorer),
        arguments: ["daily-life-24h", "hike-4h", "multisport-7h", "ride-90min"], [25, 250])
    func `scores agree with the independent scorer`(trace: String, accuracy: Int) throws {
        let truth = try Samples.truth(trace)
        let record = Self.noisyRun(on: truth)
        let score = try RunScore(of: record, against: truth, accuracy: Double(accuracy), draws: Samples.draws)
        let other = try Samples.energyScore(of: record, on: trace, accuracy: accuracy)
        func agrees(_ value: Double, _ key: String, within tolerance: Double) -> Bool {
            other[key].map { abs($0 - value) <= tolerance } ?? false
        }
        #expect(agrees(score.hours, "hours", within: 0.006))
        #expect(agrees(score.receiverJoules / score.hours, "joulesPerHour", within: 0.000_6))
        #expect(agrees(score.alwaysOnJoules / score.hours, "alwaysOn", within: 0.06))
        let moving = score.moving
        #expect(agrees(moving.movingShare, "movingShare", within: 0.000_6))
        #expect(agrees(Double(moving.bouts), "bouts", within: 0))
        #expect(agrees(moving.violatedMoving ?? -1, "violatedMoving", within: 0.000_6))
        // A ride without rest has no such figure in either.
        if let violatedRest = moving.violatedRest {
            #expect(agrees(violatedRest, "violatedRest", within: 0.000_06))
        } else {
            #expect(other["violatedRest"] == nil)
        }
        #expect(agrees(moving.boutP50 ?? -1, "boutP50", within: 0.000_6))
        #expect(agrees(moving.boutP90 ?? -1, "boutP90", within: 0.000_6))
        #expect(agrees(moving.rightAgainP90 ?? -1, "rightAgainP90", within: 0.000_6))
        #expect(agrees(Double(moving.longestMoving), "longestMoving", within: 0))
        #expect(agrees(moving.errorMovingP50 ?? -1, "errorMovingP50", within: 0.002))
        #expect(agrees(moving.errorMovingP95 ?? -1, "errorMovingP95", within: 0.002))
        #expect(agrees(Double(score.fixes), "fixes", within: 0))
        #expect(agrees(Double(score.starts), "starts", within: 0))
        #expect(agrees(score.coverage68 ?? -1, "coverage68", within: 0.000_6))
    }

    /// Fixes at uneven times, some metres off, with searches before them; it begins before the trace.
    private static func noisyRun(on truth: TruthGrid) -> RunRecord {
        var record = RunRecord()
        record.states = [.init(time: truth.startTime - 20, state: .acquire)]
        var time = truth.startTime + 31.25
        var index = 0
        while time < truth.endTime - 1 {
            let place = truth.place(at: Int(time - truth.startTime))
            let offset = Double(index * 37 % 11 - 5) * 1e-5
            record.states.append(.init(time: time, state: .track))
            record.deliveries.append(
                .init(
                    time: time, latitude: place.latitude + offset, longitude: place.longitude - offset / 2,
                    horizontalAccuracy: Double(1 + index % 7)))
            record.states.append(.init(time: time + 1.5, state: index % 3 == 0 ? .off : .sleep))
            time += 20.125 + Double(index * 53 % 101)
            record.states.append(.init(time: time - 6.5, state: .acquire))
            index += 1
        }
        return record
    }
}
