import Testing

@testable import Simulation

@Suite("PowerPicture") struct PowerPictureTests {
    private static func oracleRun(on truth: TruthGrid) -> RunRecord {
        let settings = Oracle.Settings(draws: Samples.draws, gridStep: 20)
        return Oracle(of: truth, accuracy: 100, settings: settings).record(on: truth)
    }

    /// How many elements of each name, or nil where a line is not one whole element.
    private static func elements(_ svg: String) -> [String: Int]? {
        var counts: [String: Int] = [:]
        for line in svg.split(separator: "\n").dropFirst().dropLast() {
            let name = String(line.dropFirst().prefix { $0 != " " })
            let isWhole = line.hasSuffix("/>") || line.hasSuffix("</\(name)>")
            let brackets = line.count { $0 == "<" } * 2 == line.count { $0 == "<" || $0 == ">" }
            guard line.hasPrefix("<"), isWhole, brackets, line.count(where: { $0 == "\"" }) % 2 == 0 else { return nil }
            counts[name, default: 0] += 1
        }
        return svg.hasPrefix("<svg ") && svg.hasSuffix("</svg>\n") ? counts : nil
    }

    @Test func `the picture is a small self-contained document, however long the run`() throws {
        let truth = try TruthGrid(SyntheticTruth.dailyLife(seed: 3))
        let picture = PowerPicture(
            of: Self.oracleRun(on: truth), against: truth, accuracy: 100, title: "a <day> & \"more\"")
        let svg = picture.svg
        let elements = try #require(Self.elements(svg))
        #expect(svg.utf8.count < 200_000)
        // The error, and what of it is beyond the accuracy, moving and at rest.
        #expect((1...3).contains(try #require(elements["path"])))
        #expect(svg.contains("a &lt;day&gt; &amp; &quot;more&quot;"))
        #expect(svg.contains("accuracy asked for: 100 m"))
        #expect(!svg.contains("href"))
    }

    @Test func `a column shows the share of each power state and the extremes of the error`() throws {
        let truth = try Samples.walk(seconds: 100, speed: 2)
        var record = RunRecord()
        record.states = [.init(time: 1010, state: .acquire), .init(time: 1015, state: .track)]
        record.deliveries = [.init(time: 1015, latitude: 0, longitude: 30 / 111_320, horizontalAccuracy: 3)]
        let columns = PictureColumns(of: record, against: truth, accuracy: 100, count: 5)
        #expect(columns.shares[0] == [0.5, 0, 0.25, 0.25])
        #expect(columns.shares[1...].allSatisfy { $0 == [0, 0, 0, 1] })
        #expect(columns.hasDelivery == [true, false, false, false, false])
        let errors = try #require(columns.errors[0])
        #expect(abs(errors.lowerBound) < 1e-9 && abs(errors.upperBound - 8) < 1e-9)
        #expect(abs(columns.greatestError - 170) < 1e-9)
        // The walk is too short for a bout.
        #expect(columns.moving == [0, 0, 0, 0, 0] && columns.violatedMoving == [0, 0, 0, 0, 0])
        #expect(columns.violatedRest[2] == 0 && columns.violatedRest[4] == 1)
    }

    @Test func `a column shows how much of its time the board moves, and is in violation`() throws {
        let truth = try Samples.walk(seconds: 200, speed: 2)
        var record = RunRecord()
        record.deliveries = [0.0, 50, 150].map {
            .init(time: 1000 + $0, latitude: 0, longitude: $0 * 2 / 111_320, horizontalAccuracy: 3)
        }
        let columns = PictureColumns(of: record, against: truth, accuracy: 81, count: 4)
        #expect(columns.moving == [1, 1, 1, 1])
        #expect(columns.violatedRest == [0, 0, 0, 0])
        // It is 82 m away 41 s after a fix: for 9 s before the second one, and from second 91 to the third one.
        let expected = [9.0 / 50, 9.0 / 50, 1, 9.0 / 50]
        #expect(zip(columns.violatedMoving, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func `violations while moving are filled, and a legend explains them`() throws {
        let truth = try Samples.stopAndGo()
        var record = RunRecord()
        record.deliveries = [.init(time: 1000, latitude: 0, longitude: 0, horizontalAccuracy: 3)]
        let svg = PowerPicture(of: record, against: truth, accuracy: 50, title: "one fix").svg
        let elements = try #require(Self.elements(svg))
        #expect(elements["path"] == 3)
        for words in [
            "moves, location right", "moves, location too far off", "slow or at rest, location too far off",
        ] {
            #expect(svg.contains(">\(words)</text>"))
        }
    }

    @Test func `draws a run without any delivery`() throws {
        let truth = try Samples.walk(seconds: 30, speed: 2)
        let svg = PowerPicture(of: RunRecord(), against: truth, accuracy: 25, title: "nothing").svg
        let elements = try #require(Self.elements(svg))
        #expect(elements["path"] == nil)
        #expect(svg.contains("hours:minutes:seconds"))
    }

    @Test(arguments: [5, 60, 1000, 5400, 14_400, 86_400, 900_000, 9_000_000] as [Double])
    func `the time axis is marked in whole steps of the clock`(seconds: Double) {
        let axis = TimeAxis(start: 1_760_659_217, end: 1_760_659_217 + seconds)
        #expect((4...14).contains(axis.ticks.count))
        #expect(Set(axis.ticks.map { axis.label(of: $0) }).count >= axis.ticks.count / 11)
    }
}
