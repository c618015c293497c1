import Evaluation
import JSONText
import Receivers
import Testing

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

    @Test func `counts energies from the first delivery on`() throws {
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

    @Test func `holds the last location until the next one`() throws {
        let score = try Self.score(accuracy: 30)
        // Errors are 0, 2, … 78 from the first fix on, 0 … 38 from the second, |-3|, |-1|, 1, … 57 from the third.
        #expect(score.longestViolation == 24)
        #expect(abs(score.timeViolated - Double(24 + 4 + 14) / 91) < 1e-12)
        #expect(abs(score.errorP50 - 28) < 1e-6)
        #expect(score.coverage68 == 1)
        #expect(try Self.score(accuracy: 1000).timeViolated == 0)
    }

    @Test func `a run that delivered nothing is all violated`() throws {
        let score = try RunScore(
            of: RunRecord(), against: Samples.walk(seconds: 60, speed: 1), accuracy: 30, draws: Samples.draws)
        #expect(score.timeViolated == 1 && score.longestViolation == 61)
        #expect(score.coverage68 == nil)
        #expect(
            Samples.text { score.write(to: &$0) } == """
                {"hours":0.0167,"receiverJoules":0.000,"receiverMilliwatts":0.0000,"sensorJoules":0.000,\
                "hostJoules":0.000,"deviceMilliwatts":0.0000,"alwaysOnJoules":5.220,"fixes":0,"starts":0,\
                "timeViolated":1.000000,"longestViolation":61}
                """)
    }

    @Test func `writes its figures in one order`() throws {
        var score = try Self.score(accuracy: 30)
        score.oracleJoules = 1.5
        let text = Samples.text { score.write(to: &$0) }
        let keys = text.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
        #expect(
            keys == [
                "hours", "receiverJoules", "receiverMilliwatts", "sensorJoules", "hostJoules", "deviceMilliwatts",
                "alwaysOnJoules", "oracleJoules", "fixes", "starts", "timeViolated", "errorP50", "errorP95",
                "longestViolation", "coverage68",
            ])
    }

    @Test func `a first delivery behind the trace has no score`() throws {
        var record = RunRecord()
        record.deliveries = [.init(time: 5000, latitude: 0, longitude: 0, horizontalAccuracy: 1)]
        let truth = try Samples.walk(seconds: 60, speed: 1)
        #expect(throws: RunScoreError.deliveredAfterTheEnd(firstDelivery: 5000, traceEnd: 1060)) {
            try RunScore(of: record, against: truth, accuracy: 30, draws: Samples.draws)
        }
    }

    @Test func `takes its draws from the catalogue`() {
        #expect(ReceiverDraws(ReceiverModel.neoM8N.powerDraw, resting: .hardware) == Samples.draws)
    }

    @Test(
        .enabled(if: Samples.hasScorer, Samples.noScorer),
        arguments: ["daily-life-24h", "hike-4h", "multisport-7h", "ride-90min"], [25, 250])
    func `agrees with the independent scorer`(trace: String, accuracy: Int) throws {
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
        #expect(agrees(score.timeViolated, "violated", within: 0.000_06))
        #expect(agrees(score.errorP50, "errorP50", within: 0.06))
        #expect(agrees(score.errorP95, "errorP95", within: 0.06))
        #expect(agrees(Double(score.longestViolation), "longestViolation", within: 0))
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
