import Foundation
import FoundationXML
import Testing

/// `sextant track` on small tables.
@Suite("track")
struct TrackCommandTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let header = "time,latitude,longitude,altitude,horizontalAccuracy,verticalAccuracy,speed,course"
    private static let start = 1_760_000_000.0

    /// A row so many seconds after the start and metres north of 47° N 8° E.
    private static func row(_ seconds: Double, north metres: Double, accuracy: Double = 4) -> String {
        let latitude = 47 + metres / 111_176
        return String(format: "%.3f,%.8f,8,,%.1f,,,", start + seconds, latitude, accuracy)
    }

    /// Walks north at 1.5 m/s, stands for a while, and goes on.
    private static func walk(_ first: Int, standing: Int, _ second: Int) -> [String] {
        (0..<(first + standing + second)).map { second in
            let walked = min(second, first) + max(0, second - first - standing)
            return row(Double(second), north: 1.5 * Double(walked))
        }
    }

    private func table(_ rows: [String]) throws -> String {
        try scratch.write(([Self.header] + rows).joined(separator: "\n") + "\n", to: "fixes.csv")
    }

    private func track(_ rows: [String], _ options: String...) async throws -> (status: Int32, program: Program) {
        try await Program.sextant(["track", try table(rows)] + options, in: scratch)
    }

    private func events(_ program: Program) throws -> [JSON] {
        try program.outputLines.map { try #require(JSON(line: $0)) }.filter { $0.text("event") != "location" }
    }

    private static let regions = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"yard","properties":{"radius":60,"dwell":120},
         "geometry":{"type":"Point","coordinates":[8,47.0027]}},
        {"type":"Feature","properties":{"id":12},"geometry":{"type":"Polygon","coordinates":
         [[[7.999,47.0045],[8.001,47.0045],[8.001,47.0055],[7.999,47.0055],[7.999,47.0045]]]}},
        {"type":"Feature","id":"quiet","properties":{"radius":60,"notifyOnExit":false},
         "geometry":{"type":"Point","coordinates":[8,47.0027]}}
        ]}
        """

    // MARK: What is printed

    @Test func `each fix gives one location, with the time of the input`() async throws {
        let rows = [0, 1.25, 2.5, 3.001].map { Self.row($0, north: $0) }
        let result = try await track(rows)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let lines = result.program.outputLines
        #expect(
            lines.map { $0.prefix(56) } == [
                #"{"event":"location","time":1760000000.000,"latitude":47."#,
                #"{"event":"location","time":1760000001.250,"latitude":47."#,
                #"{"event":"location","time":1760000002.500,"latitude":47."#,
                #"{"event":"location","time":1760000003.001,"latitude":47."#,
            ])
        let first = try #require(JSON(line: lines[0]))
        #expect(first.number("longitude").map { abs($0 - 8) < 1e-5 } == true)
        #expect(first.number("horizontalAccuracy").map { (1...10).contains($0) } == true)
    }

    @Test func `columns are found by name, also on standard input`() async throws {
        let text = "speed,Longitude,TIME,ignored,latitude\n1,8,1760000000,x,47\n1,8,1760000001,y,47\n"
        let path = try scratch.write(text, to: "other.csv")
        let result = try await Program.sextant(["track", "-"], in: scratch, input: path)
        #expect(result.status == 0 && result.program.errors.isEmpty && result.program.outputLines.count == 2)
    }

    @Test func `a region is entered, dwelled in and left at the times of the crossings`() async throws {
        let regions = try scratch.write(Self.regions, to: "regions.geojson")
        // 300 m of way to the yard's middle, 150 s there, and on through the polygon.
        let result = try await track(Self.walk(200, standing: 200, 300), "--regions", regions)
        #expect(result.status == 0 && result.program.errors.isEmpty)
        let events = try events(result.program)
        #expect(
            events.map { "\($0.text("event") ?? "") \($0.text("region") ?? "")" } == [
                "regionEnter yard", "regionEnter quiet", "regionDwell yard", "regionExit yard", "regionEnter 12",
                "regionExit 12",
            ])
        // The yard's borders are 60 m about 300.2 m, the polygon's at 500.3 and 611.5 m; 1.5 m/s.
        let crossings = [160.1, 160.1, 280.1, 440.1, 533.5, 607.7]
        for (event, crossing) in zip(events, crossings) {
            let time = try #require(event.number("time")) - Self.start
            let confirmed = try #require(event.number("confirmed")) - Self.start
            #expect(abs(time - crossing) < 6, "\(event.members)")
            #expect(confirmed >= time && confirmed - time < 30, "\(event.members)")
            #expect(event.keys == ["confirmed", "event", "latitude", "longitude", "region", "time"])
        }
        let (entered, dwelled) = (events[0].number("time") ?? 0, events[2].number("time") ?? 0)
        #expect(abs(dwelled - entered - 120) < 0.002 && events[2].number("confirmed") == dwelled)
    }

    @Test func `a visit is reported at arrival and departure, with its true times`() async throws {
        let rows = Self.walk(300, standing: 900, 400)
        let without = try await track(rows)
        #expect(try events(without.program).isEmpty)
        let result = try await track(rows, "--visits")
        #expect(result.status == 0)
        let events = try events(result.program)
        #expect(events.map { $0.text("event") } == ["visitArrival", "visitDeparture"])
        for event in events {
            #expect(abs((event.number("arrival") ?? 0) - Self.start - 300) < 60)
            #expect(event.number("visit") == 1 && event.number("place") == 1)
            #expect(abs((event.number("latitude") ?? 0) - 47 - 450 / 111_176) < 3e-4)
        }
        let departure = try #require(events[1].number("departure"))
        #expect(abs(departure - Self.start - 1200) < 60 && events[0].number("departure") == nil)
        #expect(try #require(events[1].number("confirmed")) >= departure)
    }

    @Test func `significant changes are at least 500 m and five minutes apart`() async throws {
        let result = try await track(Self.walk(1300, standing: 0, 0), "--significant")
        let events = try events(result.program)
        #expect(events.count == 4 && events.allSatisfy { $0.text("event") == "significantChange" })
        let confirmed = events.compactMap { $0.number("confirmed") }
        #expect(zip(confirmed.dropFirst(), confirmed).allSatisfy { $0 - $1 >= 300 })
        #expect(events.allSatisfy { ($0.number("time") ?? .infinity) <= ($0.number("confirmed") ?? 0) })
    }

    @Test func `events are in the order in which they could be known`() async throws {
        let regions = try scratch.write(Self.regions, to: "regions.geojson")
        let result = try await track(
            Self.walk(200, standing: 700, 400), "--regions", regions, "--visits", "--significant")
        let all = try result.program.outputLines.map { try #require(JSON(line: $0)) }
        let times = all.compactMap { $0.number("confirmed") ?? $0.number("time") }
        #expect(times == times.sorted() && times.count == all.count)
    }

    @Test func `--plot draws a picture`() async throws {
        let regions = try scratch.write(Self.regions, to: "regions.geojson")
        let plot = scratch.path("track.svg")
        let result = try await track(
            Self.walk(200, standing: 700, 300), "--regions", regions, "--visits", "--plot", plot)
        #expect(result.status == 0)
        let svg = try String(contentsOfFile: plot, encoding: .utf8)
        for words in ["fixes.csv", "1200 fixes", "yard", ">12<", "place 1", " m</text>", "north up"] {
            #expect(svg.contains(words), "\(words)")
        }
        let isXML = XMLParser(data: Data(svg.utf8)).parse()
        #expect(isXML)
    }

    // MARK: Bad input

    @Test func `impossible fixes are skipped and counted`() async throws {
        var rows = Self.walk(30, standing: 0, 0)
        rows.insert("1760000010.5,nan,8,,,,,", at: 11)
        rows.insert("1760000011.5,97,8,,,,,", at: 13)
        rows.insert("1760000012.5,47,8,,-5,,,", at: 15)
        rows.insert("1600000000,47,8,,,,,", at: 17)
        rows.insert("1e300,47,8,,,,,", at: 18)
        let result = try await track(rows)
        #expect(result.status == 0 && result.program.outputLines.count == 30)
        #expect(
            result.program.errors
                == "sextant: 5 of 35 fixes were not taken: 1 not a number, 1 out of range, 1 with a negative accuracy, "
                + "1 older than the one before, 1 at an impossible time\n")
    }

    @Test func `fixes years apart start a new track`() async throws {
        let later = (0..<10).map { Self.row(1e8 + Double($0), north: 500_000) }
        let result = try await track(Self.walk(10, standing: 0, 0) + later)
        #expect(result.status == 0 && result.program.errors.isEmpty && result.program.outputLines.count == 20)
        let last = try #require(result.program.outputLines.last.flatMap(JSON.init(line:)))
        #expect(abs((last.number("latitude") ?? 0) - 51.497) < 0.01)
    }

    @Test(
        arguments: [
            (["1760000000,47,8", "1760000001,47"], "line 3: longitude is empty; write a number", 1),
            (
                ["1760000000,47,8", "", "1760000001,4x,8"],
                "line 4: latitude is \"4x\", which is no number; write it as 12.5", 1
            ),
            ([], "there is no fix in it; add a line for each", 0),
        ])
    func `an invalid row ends the output after the rows before it, and is reported with its line`(
        rows: [String], message: String, count: Int
    ) async throws {
        let result = try await track(rows)
        #expect(result.status == 65 && result.program.outputLines.count == count)
        #expect(result.program.errors == "sextant: \(scratch.path("fixes.csv")): \(message)\n")
    }

    @Test func `a missing file, a wrong table and an invalid file of regions are refused`() async throws {
        let noTable = try scratch.write("time;latitude;longitude\n1;2;3\n", to: "other.csv")
        let foreign = try await Program.sextant(["track", noTable], in: scratch)
        #expect(foreign.status == 65 && foreign.program.errors.contains("line 1: the header does not name"))
        let absent = try await Program.sextant(["track", scratch.path("none.csv")], in: scratch)
        #expect(absent.status == 74 && absent.program.errors.contains("no such file"))
        let cut = try scratch.write(String(Self.regions.prefix(300)), to: "cut.geojson")
        let regions = try await track(Self.walk(3, standing: 0, 0), "--regions", cut)
        #expect(regions.status == 65 && regions.program.output.isEmpty)
        #expect(regions.program.errors.hasPrefix("sextant: \(cut): line 5"))
        let nowhere = try await track(Self.walk(3, standing: 0, 0), "--plot", "/nowhere/track.svg")
        #expect(nowhere.status == 74 && nowhere.program.errors.contains("/nowhere/track.svg: cannot be written"))
        let usage = try await Program.sextant(["track"], in: scratch)
        #expect(usage.status == 64)
    }
}
