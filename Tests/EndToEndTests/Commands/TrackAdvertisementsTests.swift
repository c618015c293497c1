import Foundation
import Testing

/// `sextant track --advertisements` on small tables.
@Suite("track of advertisements")
struct TrackAdvertisementsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
    private static let header = "time,uuid,major,minor,rssi,measuredPower,address"
    private static let start = 1_760_000_000.0

    /// Advertisements of one beacon, so many seconds after the start; without a strength where that is nil.
    private static func heard(
        _ seconds: some Sequence<Double>, _ major: Int, _ minor: Int, _ strength: Int? = -65, from address: String = ""
    ) -> [(Double, String)] {
        seconds.map { second in
            let level = strength.map { "\($0)" } ?? ""
            let row = String(format: "%.3f,", start + second) + "\(uuid),\(major),\(minor),\(level),-59,\(address)"
            return (second, row)
        }
    }

    private static func every(_ interval: Double, from first: Double, through last: Double) -> [Double] {
        Array(stride(from: first, through: last, by: interval))
    }

    /// The table of what several beacons sent, in the order of time.
    private func table(_ beacons: [(Double, String)]...) throws -> String {
        let rows = Array(beacons.joined()).enumerated().sorted {
            ($0.element.0, $0.offset) < ($1.element.0, $1.offset)
        }
        return try table(rows.map(\.element.1))
    }

    private func table(_ rows: [String]) throws -> String {
        try scratch.write(([Self.header] + rows).joined(separator: "\n") + "\n", to: "heard.csv")
    }

    private func track(_ arguments: String...) async throws -> (status: Int32, program: Program) {
        try await Program.sextant(["track"] + arguments, in: scratch)
    }

    private func lines(_ result: (status: Int32, program: Program)) throws -> [JSON] {
        #expect(result.status == 0 && result.program.errors.isEmpty, "\(result.program.errors)")
        return try result.program.outputLines.map { try #require(JSON(line: $0)) }
    }

    /// An event in a few words, its times in seconds after the start.
    private static func words(_ line: JSON) -> String {
        let times = ["time", "confirmed"].map { key in
            line.number(key).map { String(format: "%g", (($0 - start) * 1000).rounded() / 1000) } ?? "-"
        }
        let region = line.text("region").map { " " + ($0.hasPrefix(uuid) ? "*" + $0.dropFirst(uuid.count) : $0) } ?? ""
        let state = line.text("state").map { " " + $0 } ?? ""
        return "\(line.text("event") ?? "?")\(region)\(state) \(times[0]) \(times[1])"
    }

    // MARK: What is printed

    @Test func `beacons are told once a second, the nearest first, with the names of the daemon's protocol`()
        async throws
    {
        let seconds = Self.every(0.25, from: 0, through: 2.75)
        let path = try table(Self.heard(seconds, 1, 7, -70), Self.heard(seconds, 1, 9, -50))
        let result = try await track("--advertisements", path)
        let lines = try lines(result)
        #expect(lines.map(Self.words) == ["beacons 1 -", "beacons 2 -", "beacons 3 -"])
        let line = try #require(result.program.outputLines.first)
        let nearest = #""beacons":[{"uuid":"\#(Self.uuid)","major":1,"minor":9,"rssi":-50,"proximity":"#
        #expect(line.contains(nearest), "\(line)")
        #expect(line.contains(#""minor":7,"rssi":-70,"proximity":""#), "\(line)")
        for key in ["distance", "accuracy", "measuredPower"] {
            #expect(line.components(separatedBy: "\"\(key)\":").count == 3, "\(line)")
        }
    }

    @Test func `a beacon's region is entered at the first of two advertisements, and left after 30 s of silence`()
        async throws
    {
        // The second beacon shows that the recording went on.
        let path = try table(
            Self.heard(Self.every(1, from: 40, through: 60), 1, 7),
            Self.heard(Self.every(5, from: 0, through: 100), 2, 1))
        let lines = try lines(await track("--advertisements", path, "--beacon", Self.uuid + ",1"))
        let events = lines.filter { $0.text("event") != "beacons" }
        #expect(
            events.map(Self.words) == [
                "regionDetermined *,1 outside - 30", "regionEnter *,1 40 41", "regionExit *,1 60 90",
            ])
        #expect(events[1].text("uuid") == Self.uuid && events[1].number("major") == 1 && events[1].number("minor") == 7)
        let batches = lines.filter { $0.text("event") == "beacons" }.compactMap { $0.number("time") }
        #expect(batches == (41...70).map { Self.start + Double($0) }, "gone 10 s after the last, which is told once")
    }

    @Test func `a region that the recording begins in is determined, not entered`() async throws {
        let path = try table(Self.heard(Self.every(0.5, from: 0, through: 3), 1, 7))
        let lines = try lines(await track("--advertisements", path, "--beacon", Self.uuid))
        #expect(
            lines.map(Self.words) == [
                "regionDetermined * inside 0 0.5", "beacons * 1 -", "beacons * 2 -", "beacons * 3 -", "beacons * 4 -",
            ])
    }

    @Test func `several --beacon are told each by itself, and other beacons not`() async throws {
        let seconds = Self.every(0.5, from: 0, through: 1.5)
        let path = try table(Self.heard(seconds, 1, 7), Self.heard(seconds, 2, 8), Self.heard(seconds, 3, 9))
        let result = try await track(
            "--advertisements", path, "--beacon", Self.uuid + ",2,8", "--beacon", Self.uuid + ",1")
        let batches = try lines(result).filter { $0.text("event") == "beacons" }
        #expect(
            batches.map(Self.words) == ["beacons *,2,8 1 -", "beacons *,1 1 -", "beacons *,2,8 2 -", "beacons *,1 2 -"])
        #expect(!result.program.output.contains("\"minor\":9"))
    }

    @Test func `an advertisement without a strength is heard all the same`() async throws {
        let path = try table(Self.heard(Self.every(0.5, from: 0, through: 1.5), 1, 7, nil))
        let result = try await track("--advertisements", path, "--beacon", Self.uuid)
        #expect(try lines(result).map(Self.words).first == "regionDetermined * inside 0 0.5")
        #expect(result.program.output.contains(#""rssi":0,"proximity":"unknown","measuredPower":-59}"#))
        let text = "time,uuid,minor,MAJOR\n1760000000,\(Self.uuid),7,1\n"
        let bare = try await track("--advertisements", try scratch.write(text, to: "bare.csv"))
        #expect(try lines(bare).map(Self.words) == ["beacons 1 -"])
        #expect(bare.program.output.contains(#""rssi":0,"proximity":"unknown"}"#))
    }

    @Test func `two senders of one identity are two beacons`() async throws {
        let seconds = Self.every(0.25, from: 0, through: 0.75)
        let path = try table(
            Self.heard(seconds, 1, 7, -70, from: "A4:C1:38:00:00:01"),
            Self.heard(seconds, 1, 7, -50, from: "a4:c1:38:00:00:02"))
        let output = try await track("--advertisements", path).program.output
        #expect(output.components(separatedBy: "\"minor\":7").count == 3)
        #expect(!output.lowercased().contains("a4:c1"), "a sender's address is not told")
    }

    @Test func `fixes and advertisements are merged by their times`() async throws {
        let rows = (0..<100).map { String(format: "%.3f,%.8f,8,4", Self.start + Double($0), 47 + Double($0) * 1e-5) }
        let header = "time,latitude,longitude,horizontalAccuracy"
        let fixes = try scratch.write(([header] + rows).joined(separator: "\n") + "\n", to: "fixes.csv")
        let path = try table(Self.heard(Self.every(0.7, from: 10.1, through: 40), 1, 7))
        let alone = try await track(fixes)
        let result = try await track(fixes, "--advertisements", path, "--beacon", Self.uuid)
        let lines = try lines(result)
        let known = lines.compactMap { $0.number("confirmed") ?? $0.number("time") }
        #expect(known == known.sorted() && known.count == lines.count)
        let locations = result.program.outputLines.filter { $0.hasPrefix(#"{"event":"location""#) }
        #expect(locations == alone.program.outputLines)
        let regions = lines.filter { $0.text("region") != nil && $0.text("event") != "beacons" }.map(Self.words)
        // The fixes show that the recording went on after the last advertisement.
        #expect(regions == ["regionDetermined * inside 10.1 10.8", "regionExit * 39.5 69.5"])
    }

    @Test func `the same tables give the same bytes, from standard input too`() async throws {
        let seconds = Self.every(0.3, from: 0, through: 20)
        let path = try table(Self.heard(seconds, 1, 7), Self.heard(seconds, 1, 8))
        let first = try await track("--advertisements", path)
        let second = try await Program.sextant(["track", "--advertisements", "-"], in: scratch, input: path)
        #expect(second.status == 0 && first.program.output == second.program.output && !first.program.output.isEmpty)
    }

    @Test func `that no beacon is near is told once, in a gap of years too`() async throws {
        let path = try table(Self.heard([0, 0.5, 1e8, 1e8 + 0.5], 1, 7))
        let lines = try lines(await track("--advertisements", path, "--beacon", Self.uuid))
        let regions = lines.filter { $0.text("event") != "beacons" }.map { $0.text("event") }
        #expect(regions == ["regionDetermined", "regionExit", "regionEnter"])
        #expect(lines.count { $0.text("event") == "beacons" } == 12)
    }

    // MARK: Bad input

    private static let groups = "write 8, 4, 4, 4 and 12 hexadecimal digits with hyphens"
    private static let address = "write it as A4:C1:38:00:00:01, or leave it empty"

    @Test(
        arguments: [
            ("1760000001,E2C5,1,7,-60,-59,", "uuid is \"E2C5\"; \(groups)"),
            ("1760000001,,1,7,-60,-59,", "uuid is \"\"; \(groups)"),
            ("1760000001,UUID,70000,7,-60,-59,", "major is 70000.0; it lies from 0.0 to 65535.0"),
            ("1760000001,UUID,1,1.5,-60,-59,", "minor is 1.5; write a whole number"),
            ("1760000001,UUID,1,,-60,-59,", "minor is empty; write a number"),
            ("1760000001,UUID,1,7,loud,-59,", "rssi is \"loud\", which is no number; write it as 12.5"),
            ("1760000001,UUID,1,7,-60,-590,", "measuredPower is -590.0; it lies from -128.0 to 127.0"),
            ("1e300,UUID,1,7,-60,-59,", "time is 1e+300; it lies from -9000000000.0 to 9000000000.0"),
            ("1760000001,UUID,1,7,-60,-59,A4:C1", "address is \"A4:C1\"; \(address)"),
        ])
    func `an invalid advertisement ends the output, and is reported with its line`(row: String, message: String)
        async throws
    {
        let path = try table(
            Self.heard([0, 0.5], 1, 7).map(\.1) + [row.replacingOccurrences(of: "UUID", with: Self.uuid)])
        let result = try await track("--advertisements", path, "--beacon", Self.uuid)
        #expect(result.status == 65 && result.program.outputLines.count == 1, "what stands before it is told")
        #expect(result.program.errors == "sextant: \(path): line 4: \(message)\n")
    }

    @Test func `advertisements that stand behind later ones are skipped and counted`() async throws {
        let path = try table(Self.heard([0, 0.5, 1.5, 0.75, 1.75], 1, 7).map(\.1))
        let result = try await track("--advertisements", path)
        #expect(result.status == 0 && result.program.outputLines.count == 2)
        #expect(
            result.program.errors
                == "sextant: 1 of 5 advertisements were not taken: older than what stands before them\n")
    }

    @Test func `a missing file, an empty table and a wrong use are refused`() async throws {
        let empty = try await track("--advertisements", try table([String]()))
        #expect(empty.status == 65)
        #expect(empty.program.errors.hasSuffix("heard.csv: there is no advertisement in it; add a line for each\n"))
        let foreign = try await track("--advertisements", try scratch.write("time,uuid\n1,2\n", to: "other.csv"))
        #expect(foreign.status == 65 && foreign.program.errors.contains("line 1: the header does not name major"))
        let absent = try await track("--advertisements", scratch.path("none.csv"))
        #expect(absent.status == 74 && absent.program.errors.contains("no such file"))
        let uses = [
            ["fixes.csv", "--beacon", Self.uuid], ["--advertisements", "a.csv", "--visits"],
            ["-", "--advertisements", "-"], ["--advertisements", "a.csv", "--beacon", Self.uuid + ",,7"],
        ]
        for arguments in uses {
            #expect(try await Program.sextant(["track"] + arguments, in: scratch).status == 64, "\(arguments)")
        }
    }
}
