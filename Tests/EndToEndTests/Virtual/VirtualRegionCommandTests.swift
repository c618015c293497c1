import Foundation
import FoundationXML
import Glibc
import Testing

/// `sextant regions`, `visits` and `history` against the daemon, in virtual time.
@Suite("Regions, visits and history by command")
struct VirtualRegionCommandTests {
    private typealias Bench = CoreLocationBench<SilentDevice>

    private static let header = "time,latitude,longitude,altitude,horizontalAccuracy,verticalAccuracy,speed,course"

    /// The command is a client as it is installed: an operator, authorized always unless said.
    private func start(
        _ authorization: String = "always", accuracy: String = "full", _ members: String = ""
    ) async throws -> Bench {
        let bench = try await Bench.start(clients: [
            BenchClient(
                name: "sextant", authorization: authorization, accuracy: accuracy,
                members: "operator: true, user: '\(NSUserName())', backgroundMode: true, \(members)"),
            BenchClient(),
        ])
        _ = try await bench.scratch.program(Built.sextant, named: "sextant")
        return bench
    }

    private func command(_ bench: Bench, _ arguments: [String], places: String? = nil) throws -> Program {
        try Program(
            bench.scratch.path("sextant"), arguments + ["--socket", bench.socket], in: bench.scratch, places: places)
    }

    private func run(
        _ bench: Bench, _ arguments: [String], places: String? = nil
    ) async throws -> (status: Int32, program: Program) {
        let program = try command(bench, arguments, places: places)
        return (try await program.status(), program)
    }

    private static let yard = ["yard", "--latitude", "47.3769", "--longitude", "8.5417", "--radius", "60"]

    private static let file = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"yard","properties":{"radius":60,"dwell":120},
         "geometry":{"type":"Point","coordinates":[8.5417,47.3769]}},
        {"type":"Feature","id":"field","properties":{"notifyOnExit":false},"geometry":{"type":"Polygon","coordinates":
         [[[8.54,47.38],[8.55,47.38],[8.55,47.39],[8.54,47.39],[8.54,47.38]]]}}
        ]}
        """

    // MARK: regions

    @Test func `south and west can be given as negative numbers`() async throws {
        let bench = try await start()
        let words = ["bay", "--latitude", "-33.9", "--longitude", "-71.6", "--radius", "60"]
        let add = try await run(bench, ["regions", "add"] + words)
        #expect(add.status == 0 && add.program.outputLines == ["bay is watched"], "\(add.program.errors)")
    }

    @Test func `a circle that is smaller than positions are exact is told at once, with the radius to give`()
        async throws
    {
        let bench = try await start()
        let words = ["home", "--latitude", "47.3769", "--longitude", "8.5417", "--radius", "5"]
        let add = try await run(bench, ["regions", "add"] + words)
        #expect(add.status == 0 && add.program.outputLines == ["home is watched"])
        #expect(
            add.program.errorLines == [
                "sextant: home: its radius is smaller than positions are exact, so that events may come late or never; "
                    + "give it 20 m or more"
            ])
    }

    @Test func `a region is added, listed, replaced and removed, and survives the daemon`() async throws {
        let bench = try await start()
        let none = try await run(bench, ["regions"])
        #expect(none.status == 0 && none.program.output.isEmpty && none.program.errors.contains("there are no regions"))
        let add = try await run(bench, ["regions", "add"] + Self.yard + ["--dwell", "120", "--no-exit"])
        #expect(add.status == 0 && add.program.errors.isEmpty, "\(add.program.errors)")
        #expect(add.program.outputLines == ["yard is watched"])
        try await bench.restart(after: SIGTERM)
        let list = try await run(bench, ["regions", "list"])
        #expect(
            list.program.outputLines == [
                "region  shape                          tells of                the board is  since",
                "yard    60 m about 47.376900 8.541700  entry, a stay of 120 s  unknown       -",
            ], "\(list.program.output)")
        let json = try await run(bench, ["regions", "list", "--json"])
        let region = try #require(json.program.outputLines.first.flatMap(JSON.init(line:)))
        #expect(region.text("identifier") == "yard" && region.number("dwell") == 120)
        #expect(region.bool("notifyOnExit") == false && json.program.outputLines.count == 1)
        let wrong = try await run(bench, ["regions", "remove", "yard", "yart"])
        #expect(wrong.status == 65 && wrong.program.output.isEmpty)
        #expect(
            wrong.program.errorLines == [
                "sextant: no region is called \"yart\"; sextant regions list names them; nothing was removed"
            ])
        let removed = try await run(bench, ["regions", "remove", "--all"])
        #expect(removed.status == 0 && removed.program.outputLines == ["yard is no longer watched"])
        #expect(try await run(bench, ["regions", "list", "--json"]).program.output.isEmpty)
    }

    @Test func `a file of regions is imported, and an invalid file changes nothing`() async throws {
        let bench = try await start()
        let path = try bench.scratch.write(Self.file, to: "places.geojson")
        let good = try await run(bench, ["regions", "import", path])
        #expect(good.status == 0 && good.program.outputLines == ["2 regions are watched"], "\(good.program.errors)")
        let list = try await run(bench, ["regions"])
        #expect(list.program.output.contains("polygon of 4 corners"), "\(list.program.output)")
        for (bad, words) in [
            (Self.file.replacing("47.39],[8.54,47.39]", with: "47.39],[8.54,97.39]"), "latitude 97.39 is out of range"),
            (Self.file.replacing("\"dwell\":120", with: "\"dwell\":0.5"), "feature 1 (\"yard\"): dwell is 0.5"),
            (Self.file.replacing("\"radius\":60", with: "\"radius\":2000000"), "radius 2000000.0 m is out of range"),
        ] {
            let other = try bench.scratch.write(bad.replacing("\"yard\"", with: "\"new\""), to: "bad.geojson")
            let result = try await run(bench, ["regions", "import", other])
            #expect(result.status == 65 && result.program.output.isEmpty)
            #expect(result.program.errors.contains(words.replacing("yard", with: "new")), "\(result.program.errors)")
        }
        let json = try await run(bench, ["regions", "list", "--json"])
        #expect(json.program.outputLines.compactMap { JSON(line: $0)?.text("identifier") } == ["field", "yard"])
    }

    @Test func `regions beyond the limit are named, and all others are monitored`() async throws {
        let bench = try await start("always", accuracy: "full", "maximumRegions: 1,")
        let path = try bench.scratch.write(Self.file, to: "places.geojson")
        let result = try await run(bench, ["regions", "import", path])
        #expect(result.status == 69 && result.program.outputLines == ["1 region is watched"])
        #expect(
            result.program.errorLines == [
                "sextant: field: sextant has reached its limit of regions, 1; remove some (sextant regions "
                    + "remove), or raise maximumRegions in /etc/sextant/clients.d/sextant.json5"
            ])
    }

    @Test func `a thousand regions are imported and listed`() async throws {
        let bench = try await start()
        let features = (0..<1000).map {
            #"{"type":"Feature","id":\#($0),"properties":{"radius":60},"geometry":{"type":"Point","coordinates":[8,\#(47 + Double($0) / 1000)]}}"#
        }
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\n\(features.joined(separator: ",\n"))]}"
        let path = try bench.scratch.write(text, to: "many.geojson")
        let result = try await run(bench, ["regions", "import", path])
        #expect(result.program.outputLines == ["1000 regions are watched"], "\(result.program.errors)")
        let list = try await run(bench, ["regions", "list", "--json"])
        #expect(list.status == 0 && list.program.outputLines.count == 1000, "\(list.program.errors)")
    }

    @Test(arguments: [
        ("always", "reduced", "sextant has reduced accuracy"), ("denied", "full", "sextant is denied locations"),
        ("whenInUse", "full", "sextant is not authorized always"),
    ])
    func `a region that cannot cause events is reported with the reason`(
        authorization: String, accuracy: String, words: String
    ) async throws {
        let bench = try await start(authorization, accuracy: accuracy)
        let add = try await run(bench, ["regions", "add"] + Self.yard)
        #expect(add.status == 0 && add.program.outputLines == ["yard is watched"])
        #expect(add.program.errors.hasPrefix("sextant: events may not come: \(words)"), "\(add.program.errors)")
        guard authorization != "whenInUse" else { return }
        let watch = try await run(bench, ["regions", "watch"])
        #expect(watch.status == 77 && watch.program.errors.contains(words))
    }

    @Test func `events are printed as they come, waiting ones first, and none twice`() async throws {
        let bench = try await start()
        let empty = try await run(bench, ["regions", "watch"])
        #expect(empty.status == 69 && empty.program.errors.contains("there are no regions to watch"))
        #expect(try await run(bench, ["regions", "add"] + Self.yard + ["--dwell", "60"]).status == 0)
        func ride(north: Double, course: Double) async throws {
            try await bench.fix(
                InjectedFix(north: north).with { ($0.speed, $0.course, $0.courseAccuracy) = (10, course, 2) })
        }
        for second in 0..<40 { try await ride(north: 400 - Double(second) * 10, course: 180) }
        let watch = try command(bench, ["regions", "watch", "--count", "3"])
        _ = try await watch.lines(1)
        for _ in 0..<90 { try await bench.fix() }
        for second in 0..<40 { try await ride(north: Double(second) * 10, course: 0) }
        #expect(try await watch.status() == 0)
        let words = watch.outputLines.map { $0.split(separator: "  ").last.map(String.init) ?? "" }
        #expect(words == ["entered yard", "stayed in yard", "left yard"], "\(watch.output)")
        let again = try command(bench, ["regions", "watch", "--json"])
        try await again.logged("1 region; Ctrl-C ends it")
        #expect(again.output.isEmpty)
        again.signal(SIGINT)
    }

    // MARK: visits and history

    /// An hour's stay and a way, both of which somebody is told of.
    private func day(_ bench: Bench) async throws {
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 start")
        for second in 0..<120 { try await bench.fix(InjectedFix(north: Double(second - 120) * 10)) }
        for _ in 0..<120 { try await bench.fix(then: 30) }
        for second in 0..<120 { try await bench.fix(InjectedFix(north: Double(second) * 10)) }
        try await bench.run(seconds: 7200)
        for second in 0..<60 { try await bench.fix(InjectedFix(north: 1200 + Double(second) * 10)) }
    }

    @Test func `a day's track and visits are printed in every format, drawn and erased`() async throws {
        let bench = try await start()
        for command in ["visits", "history"] {
            let none = try await run(bench, [command])
            #expect(none.status == 0 && none.program.output.isEmpty && none.program.errorLines.count == 1)
        }
        try await day(bench)

        let json = try await run(bench, ["history", "--json"])
        let points = json.program.outputLines.compactMap(JSON.init(line:))
        #expect(points.count >= 10 && points.allSatisfy { $0.text("event") == "trackPoint" })
        let csv = try await run(bench, ["history"])
        #expect(csv.program.outputLines.first == Self.header && csv.program.outputLines.count == points.count + 1)
        let table = try bench.scratch.write(csv.program.output, to: "fixes.csv")
        let track = try await Program.sextant(["track", table], in: bench.scratch)
        #expect(track.status == 0 && !track.program.outputLines.isEmpty, "\(track.program.errors)")
        let gpx = try await run(bench, ["history", "--format", "gpx"])
        let isXML = XMLParser(data: Data(gpx.program.output.utf8)).parse()
        #expect(isXML && gpx.program.output.components(separatedBy: "<trkpt").count == points.count + 1)
        #expect(gpx.program.output.components(separatedBy: "<trkseg>").count == 3)

        let geojson = try await run(bench, ["history", "--format", "geojson"])
        let features = try #require(
            (try JSONSerialization.jsonObject(with: Data(geojson.program.output.utf8)) as? [String: Any])?["features"]
                as? [[String: Any]])
        #expect(features.count == 2)
        let geometries = features.compactMap { $0["geometry"] as? [String: Any] }
        #expect(geometries.allSatisfy { $0["type"] as? String == "LineString" })
        let counts = geometries.compactMap { ($0["coordinates"] as? [[Double]])?.count }
        #expect(counts.reduce(0, +) == points.count)
        let times = features.compactMap { (($0["properties"] as? [String: Any])?["coordTimes"] as? [String])?.count }
        #expect(times == counts)

        let second = try #require(points[1].text("time"))
        let part = try await run(bench, ["history", "--json", "--from", second, "--to", second])
        #expect(part.program.outputLines.count == 1)
        let past = try await run(bench, ["history", "--to", "2020-01-01"])
        #expect(past.status == 0 && past.program.output.isEmpty)
        #expect(past.program.errors == "sextant: none of the \(points.count) points that are kept is from that time\n")

        let visits = try await run(bench, ["visits"])
        #expect(visits.program.outputLines.count == 3, "\(visits.program.output)")
        #expect(visits.program.outputLines.first?.hasPrefix("arrival") == true)
        let plot = bench.scratch.path("day.svg")
        let drawn = try await run(bench, ["history", "--plot", plot])
        #expect(drawn.status == 0 && drawn.program.output.isEmpty)
        #expect(try String(contentsOfFile: plot, encoding: .utf8).contains("place 1"))

        let privacy = try await run(bench, ["privacy"])
        #expect(privacy.program.output.contains("the board: track, \(points.count) points since 2027-01-15T08:00:0"))
        #expect(privacy.program.output.contains("the board: visits, 2 visits since 2027-01-15T08:0"))
        let asked = try await run(bench, ["history", "--erase"])
        #expect(asked.status == 64)
        let erased = try await run(bench, ["history", "--erase", "--yes"])
        #expect(erased.program.outputLines == ["erased \(points.count) points"])
        #expect(try await run(bench, ["visits", "--erase", "--yes"]).program.outputLines == ["erased 2 visits"])
        #expect(try await run(bench, ["visits", "--json"]).program.output.isEmpty)
    }

    // MARK: names of places

    private static let noTable =
        "no table of places is installed: sudo apt install ./sextant-places_*_all.deb (scripts/package --with-places of "
        + "Sextant's sources makes it); or name one in SEXTANT_PLACES"

    @Test func `a region is added about a place's name, and listed with the name of its place`() async throws {
        let bench = try await start()
        let table = try await bench.scratch.writePlaces()
        let words = ["regions", "add", "yard", "--near", "Oerlikon, Zürich", "--radius", "300"]
        let add = try await run(bench, words, places: table)
        #expect(add.status == 0 && add.program.outputLines == ["yard is watched"])
        let centre = "Oerlikon, Zürich, Switzerland: 47.40823, 8.54258, ± 1879 m"
        #expect(add.program.errors == "sextant: the centre is \(centre)\n")
        let list = try await run(bench, ["regions"], places: table)
        #expect(
            list.program.outputLines == [
                "region  shape                           tells of     the board is  since  near",
                "yard    300 m about 47.408230 8.542580  entry, exit  unknown       -      near Oerlikon, Zürich",
            ], "\(list.program.output)")
        let json = try await run(bench, ["regions", "list", "--json"], places: table)
        #expect(json.program.outputLines.first.flatMap(JSON.init(line:))?.text("near") == "near Oerlikon, Zürich")
    }

    @Test func `events say what town their region is near where that is asked for`() async throws {
        let bench = try await start()
        let table = try await bench.scratch.writePlaces()
        #expect(try await run(bench, ["regions", "add"] + Self.yard).status == 0)
        for second in 0..<90 {
            try await bench.fix(
                InjectedFix(north: 400 - Double(min(second, 40)) * 10).with {
                    ($0.speed, $0.course, $0.courseAccuracy) = (second < 40 ? 10 : 0, 180, 2)
                })
        }
        let told = try await run(bench, ["regions", "watch", "--near", "--count", "1"], places: table)
        #expect(told.program.outputLines.last?.hasSuffix("  entered yard, near Zürich") == true)
        for second in 0..<40 {
            try await bench.fix(
                InjectedFix(north: Double(second) * 10).with {
                    ($0.speed, $0.course, $0.courseAccuracy) = (10, 0, 2)
                })
        }
        let json = try await run(bench, ["regions", "watch", "--near", "--json", "--count", "1"], places: table)
        let event = json.program.outputLines.first.flatMap(JSON.init(line:))
        #expect(event?.text("transition") == "exit" && event?.text("near") == "near Zürich")
    }

    /// Waits until visits are monitored, or not, for the command's client.
    private func waitUntilMonitored(_ isWanted: Bool, _ bench: Bench) async throws {
        try await ClientList.client("sextant", at: bench.socket) { ($0.number("registrations") == 1) == isWanted }
    }

    @Test func `visits are told as they come, with their town, and are monitored no longer than that`() async throws {
        let bench = try await start()
        let table = try await bench.scratch.writePlaces()
        let watch = try command(bench, ["visits", "watch", "--near", "--count", "2"], places: table)
        try await watch.logged("arrivals and departures are shown; Ctrl-C ends it")
        try await waitUntilMonitored(true, bench)
        try await day(bench)
        #expect(try await watch.status() == 0)
        let place = "47.376899 8.541700, ± 40 m"
        #expect(
            watch.outputLines == [
                "2027-01-15T08:02:30Z  arrived at \(place), near Zürich",
                "2027-01-15T09:02:10Z  left \(place) after 1 h 0 min, near Zürich",
            ])
        try await waitUntilMonitored(false, bench)
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func `a watch of visits that is ended leaves nothing monitored`(signal: Int32) async throws {
        let bench = try await start()
        let watch = try command(bench, ["visits", "watch", "--json"])
        try await watch.logged("Ctrl-C ends it")
        try await waitUntilMonitored(true, bench)
        watch.signal(signal)
        #expect(try await watch.status() == 0 && watch.output.isEmpty)
        try await waitUntilMonitored(false, bench)
    }

    @Test func `visits that something else of the client monitors are monitored after the watch too`() async throws {
        let bench = try await start()
        let first = try command(bench, ["visits", "watch"])
        try await first.logged("Ctrl-C ends it")
        let second = try command(bench, ["visits", "watch"])
        try await second.logged("Ctrl-C ends it")
        for (watch, isMonitored) in [(second, true), (first, false)] {
            watch.signal(SIGINT)
            #expect(try await watch.status() == 0)
            try await waitUntilMonitored(isMonitored, bench)
        }
    }

    @Test func `a region about a name that no table has is refused, and nothing is added`() async throws {
        let bench = try await start()
        let table = try await bench.scratch.writePlaces()
        for (name, table, status, words) in [
            ("Atlantis", table, 65, "Atlantis: no table has such a place; give --latitude and --longitude"),
            (
                "Bahnhofstrasse 1, Zürich", table, 65,
                "Bahnhofstrasse 1, Zürich: only Zürich, Switzerland: 47.36667, 8.55000, ± 7139 m is known; name that, "
                    + "or give coordinates"
            ),
            ("Zürich", nil, 69, Self.noTable),
        ] as [(String, String?, Int32, String)] {
            let add = try await run(
                bench, ["regions", "add", "yard", "--near", name, "--radius", "300"], places: table)
            #expect(add.status == status && add.program.errors == "sextant: \(words)\n", "\(add.program.errors)")
        }
        #expect(try await run(bench, ["regions"]).program.output.isEmpty)
    }

    @Test func `GEO-44: visits and points of the track are named, and nothing else of them changes`() async throws {
        let bench = try await start()
        let table = try await bench.scratch.writePlaces()
        try await day(bench)
        for (words, option) in [(["visits"], []), (["history"], ["--near"])] {
            let plain = try await run(bench, words + ["--json"])
            if !option.isEmpty {
                let unasked = try await run(bench, words + ["--json"], places: table)
                #expect(unasked.program.output == plain.program.output, "a table alone changes nothing")
            }
            let named = try await run(bench, words + ["--json"] + option, places: table)
            #expect(plain.program.outputLines.count > 1 && !plain.program.output.contains("near"))
            let rest = named.program.outputLines.map { $0.replacing(#","near":"near Zürich"}"#, with: "}") }
            #expect(rest == plain.program.outputLines && rest != named.program.outputLines)
        }
        let visits = try await run(bench, ["visits"], places: table)
        #expect(visits.program.outputLines.first?.hasSuffix("  near") == true)
        #expect(visits.program.outputLines.dropFirst().allSatisfy { $0.hasSuffix("near Zürich") })
        let without = try await run(bench, ["visits"])
        #expect(without.program.outputLines.first?.hasSuffix("sure") == true)
        #expect(without.program.errors == "sextant: names of places are left out: \(Self.noTable)\n")
    }

    @Test(arguments: [
        ["history", "--near"], ["history", "--near", "--format", "gpx"],
        ["regions", "add", "x", "--near", "Bern"],
        ["regions", "add", "x", "--near", "Bern", "--radius", "300", "--latitude", "47"],
        ["regions", "add", "x", "--near", "Bern", "--beacon", "74278BDA-B644-4520-8F0C-720EAF059935"],
        ["regions", "add", "x", "--latitude", "91", "--longitude", "8", "--radius", "10"],
        ["regions", "add", "x", "--latitude", "47", "--longitude", "8", "--radius", "0"],
        ["regions", "add", "x", "--latitude", "47", "--longitude", "8", "--radius", "2e6"],
        ["regions", "add", "x", "--latitude", "47", "--longitude", "8", "--radius", "9", "--dwell", "0"],
        ["regions", "add", "x", "--latitude", "47", "--longitude", "8", "--radius", "9", "--no-entry", "--no-exit"],
        ["regions", "remove"], ["regions", "remove", "x", "--all"], ["visits", "--last", "0"], ["visits", "--yes"],
        ["visits", "--erase"], ["history", "--from", "yesterday"], ["history", "--format", "kml"],
        ["history", "--from", "2026-05-02", "--to", "2026-05-01"], ["history", "--json", "--format", "csv"],
        ["history", "--erase", "--yes", "--from", "2026-05-02"],
    ])
    func `wrong usage exits 64 and says what is wrong`(arguments: [String]) async throws {
        let result = try await Program.sextant(arguments, in: try Scratch())
        #expect(result.status == 64 && result.program.output.isEmpty)
        #expect(result.program.errorLines.first?.hasPrefix("Error: ") == true, "\(result.program.errors)")
    }

    @Test func `--help lists every exit status`() async throws {
        for command in [["regions"], ["regions", "watch"], ["regions", "import"], ["visits"], ["history"]] {
            let help = try await Program.sextant(command + ["--help"], in: try Scratch())
            #expect(help.status == 0 && help.program.output.contains("Exit status"))
        }
    }
}
