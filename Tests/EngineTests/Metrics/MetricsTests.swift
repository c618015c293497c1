import ClientProtocol
import Emulation
import MetricsText
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

private let scraper = ClientID(rawValue: 7)

extension ManagedHarness {
    /// The metrics as a scraper that connects gets them, from the answers that it is given.
    fileprivate mutating func scrape() throws -> (source: MetricsText.Source, plain: MetricsReader) {
        let (status, energy) = (answer(to: .status, of: scraper), answer(to: .energy, of: scraper))
        let source = try source(status: status, energy: energy)
        return (source, MetricsReader(text(source)))
    }

    fileprivate mutating func connectScraper() { give(.clientConnected(scraper, .local, PeerIdentity(userID: 0))) }
}

@Suite("Metrics")
struct MetricsTests {
    private static func problems(_ source: MetricsText.Source?) -> [String] {
        let (plain, open) = (MetricsReader(text(source)), MetricsReader(text(source, .openMetrics)))
        var problems = plain.problems + open.problems
        if plain.endsWithEOF { problems.append("an EOF in the plain format") }
        if !open.endsWithEOF { problems.append("no EOF in OpenMetrics") }
        for reader in [plain, open] {
            for name in reader.samples.map(\.name) where !name.hasPrefix("sextant_") { problems.append(name) }
        }
        for (name, type) in open.types where type == "counter" && name.hasSuffix("_total") { problems.append(name) }
        for sample in plain.samples where plain.types[sample.name] == "counter" && !sample.name.hasSuffix("_total") {
            problems.append("\(sample.name) is a counter without _total")
        }
        return problems
    }

    @Test(arguments: MetricsText.Format.allCases)
    func `the uplink's own status becomes metrics, with the daemon or without`(format: MetricsText.Format) throws {
        let members: [String: JSONValue] = [
            "connected": .bool(true), "queuedFixes": .number(60_480), "queuedEvents": .number(200),
            "oldest": .string("2026-05-01T00:00:00.000Z"), "bytes": .number(9_000_000), "published": .number(12),
            "connectsRefused": .number(3),
        ]
        let now = try #require(UTCInstant(iso8601: "2026-05-01T01:00:00Z"))
        var buffer = TextBuffer(capacity: 1 << 12)
        MetricsText.append(nil, uplink: MetricsText.Uplink(members: members, now: now), format, to: &buffer)
        let reader = MetricsReader(
            buffer.string)
        #expect(reader.problems == [])
        #expect(reader["sextant_uplink_connected"] == 1)
        #expect(reader["sextant_uplink_oldest_queued_seconds"] == 3600)
        #expect(reader["sextant_uplink_queue_bytes"] == 9_000_000)
        #expect(reader["sextant_uplink_published_total"] == 12)
    }

    @Test func `MET-01: in every state of the daemon the metrics are what a scraper reads`() throws {
        #expect(Self.problems(nil) == [])
        #expect(text(nil) == "# HELP sextant_up Whether the daemon answers.\n# TYPE sextant_up gauge\nsextant_up 0\n")
        var harness = ManagedHarness(speed: 1.5)
        harness.connectScraper()
        let start = try harness.scrape()
        #expect(Self.problems(start.source) == [])
        #expect(start.plain["sextant_up"] == 1)
        // Two processes of one client have an account each, and one series.
        for id in [ManagedHarness.client, ClientID(rawValue: 2)] {
            harness.connect(id)
            harness.ask(
                .watchLocations(LocationSettings(accuracy: .metres(50), pausesAutomatically: false), label: ""), of: id)
        }
        var states: Set<String> = []
        for step in 1...300 {
            harness.run(until: Double(step) * 4)
            let scraped = try harness.scrape()
            let problems = Self.problems(scraped.source)
            #expect(problems == [])
            let held = scraped.plain.samples.filter { $0.name == "sextant_power_state" && $0.value == 1 }
            #expect(held.count == 1)
            states.formUnion(held.compactMap { $0.labels["state"] })
        }
        #expect(states.isSuperset(of: ["searching", "hardwareSleep", "starting"]), "\(states)")
        var absent = Harness()
        absent.give(.deviceFailed(.missing, detail: "no such device"))
        absent.give(.clientConnected(scraper, .local, PeerIdentity(userID: 0)))
        absent.give(ClientRequest(.status), from: scraper)
        let source = try source(status: absent.sent(to: 7))
        #expect(Self.problems(source) == [])
        #expect(MetricsReader(text(source))["sextant_receiver_state", ["state": "absent"]] == 1)
    }

    @Test func `MET-01: counters never fall while the daemon runs`() throws {
        var harness = ManagedHarness(speed: 1.5)
        harness.connectScraper()
        harness.connect()
        harness.watch(50)
        var last: [MetricsSample] = []
        for step in 1...120 {
            harness.run(until: Double(step) * 30)
            let plain = try harness.scrape().plain
            let counters = plain.samples.filter { sample in
                sample.name.hasSuffix("_total") || sample.name.hasSuffix("_bucket") || sample.name.hasSuffix("_count")
                    || sample.name.hasSuffix("_sum")
            }
            for old in last { #expect(plain[old.name, old.labels] ?? -1 >= old.value, "\(old.name) \(old.labels)") }
            last = counters
        }
        #expect(last.count > 30)
    }

    @Test func `MET-02: whether it is scraped or not, the receiver spends the same energy to the nanojoule`() throws {
        func run(isScraped: Bool) throws -> (nanojoules: Int64, starts: Int) {
            var harness = ManagedHarness(speed: 1.5)
            harness.connect()
            harness.watch(100)
            for minute in 1...60 {
                harness.run(until: Double(minute) * 60)
                guard isScraped else { continue }
                harness.connectScraper()
                _ = try harness.scrape()
                harness.give(.clientGone(scraper))
            }
            let report = harness.engine.power.view.energyReport(at: harness.now)
            let starts = harness.switches.count { $0.role == .powerEnable && $0.level }
            return (try #require(report).sinceBoot.receiver, starts)
        }
        let (alone, scraped) = (try run(isScraped: false), try run(isScraped: true))
        #expect(alone.nanojoules == scraped.nanojoules && alone.starts == scraped.starts && alone.nanojoules > 0)
    }

    @Test func `MET-02: a scraper without a manifest is served, and told no more than status tells it`() throws {
        var harness = connected()
        harness.give(.admission(.nobody))
        harness.give(.clientConnected(scraper, .local, PeerIdentity(userID: 1001)))
        harness.give(ClientRequest(.status), from: scraper)
        let source = try source(status: harness.sent(to: 7))
        let names = Set(MetricsReader(text(source)).samples.map(\.name))
        #expect(
            names == [
                "sextant_up", "sextant_build_info", "sextant_clients", "sextant_receiver_state",
            ])
        #expect(Self.problems(source) == [])
    }

    @Test func `MET-02: with 64 clients, every kind and every state there are no more than 300 series`() throws {
        func object(_ names: [String], _ value: (Int) -> String) -> String {
            names.enumerated().map { "\"\($1)\":\(value($0))" }.joined(separator: ",")
        }
        let causes = EnergyCause.allCases.map { "\($0.name)" }
        let states = ["acquiring", "tracking", "cyclic", "softwareSleep", "hardwareSleep"]
        let clients = (0..<64).map { "client \($0)" }
        let window = """
            {"deviceMilliwatts":600.5,"batteryHours":60.5,"byState":{\(object(states) { "\($0).5" })},\
            "byCause":{\(object(causes) { "\($0).25" })},"byClient":[\
            \((clients + ["others", "sextantd"]).map { "{\"client\":\"\($0)\",\"joules\":1.5}" }.joined(separator: ","))]}
            """
        let kinds = ["first", "hot", "warm", "cold", "regained"]
        let starts = kinds.map {
            "{\"kind\":\"\($0)\",\"fix\":10,\"failed\":1,\"ended\":2,\"seconds\":4.5,\"histogram\":[1,1,1,1,1,1,1,1,1,1]}"
        }
        let systems = ["gps", "sbas", "galileo", "beidou", "imes", "qzss", "glonass", "navic"].map {
            "{\"constellation\":\"\($0)\",\"used\":4,\"visible\":8,"
                + "\"carrierToNoise\":{\"least\":10,\"median\":30,\"greatest\":50}}"
        }
        let troubles = (0..<14).map { "{\"kind\":\"kind\($0)\",\"over\":false}" }
        let status = """
            {"version":"1","clients":64,"receiver":{"state":"receiving","bytes":1,"checksumFailures":2,"skippedBytes":3,\
            "epochs":4,"secondsSinceEpoch":0.5},"power":{"state":"tracking","uncertainty":5.5,"troubles":[\
            \(troubles.joined(separator: ","))]},"compass":{"headingAccuracy":3.5,"failures":1},"counters":{"startedAt":\
            "2026-11-20T12:00:00.000Z","residentBytes":8388608,"longestTurn":0.01,"clientsDropped":1,"storeErrors":0,\
            "starts":[\(starts.joined(separator: ","))],"fixes":{"deadReckoningOnly":1,"twoD":1,"threeD":1,\
            "gnssPlusDeadReckoning":1,"timeOnly":1},"horizontalAccuracy":2.5,"sky":[\(systems.joined(separator: ","))],\
            "regions":9,"events":{"transitions":{"enter":1,"exit":1,"dwell":1},"visits":1,"delivered":9,"pending":64,\
            "waiting":[\(clients.map { "{\"client\":\"\($0)\",\"count\":1}" }.joined(separator: ","))]}}}
            """
        let source = try source(
            status: status, energy: "{\"lastHour\":\(window),\"lastDay\":\(window),\"sinceBoot\":\(window)}")
        let reader = MetricsReader(text(source))
        #expect(Self.problems(source) == [])
        #expect((250...300).contains(reader.samples.count), "\(reader.samples.count)")
        #expect(reader["sextant_pending_events", ["client": "others"]] == 48)
        #expect(reader["sextant_time_to_first_fix_seconds_bucket", ["start": "hot", "le": "5"]] == 3)
        #expect(reader["sextant_time_to_first_fix_seconds_count", ["start": "hot"]] == 10)
        #expect(reader["sextant_start_time_seconds"] == 1_795_176_000)
    }

    @Test func `MET-03: every number is the one of status and energy at the same instant, and none is a coordinate`()
        throws
    {
        var harness = ManagedHarness(speed: 1.5)
        harness.connectScraper()
        harness.connect()
        harness.watch(50)
        harness.run(until: 1800)
        while harness.seconds < 3600, harness.receiver.powerState.name != "track" {
            harness.run(until: harness.seconds + 1)
        }
        let (source, plain) = try harness.scrape()
        /// The number at a path through objects.
        func number(_ members: [String: JSONValue], _ path: String...) -> Double? {
            var value = JSONValue.object(members)
            for key in path {
                guard case .object(let inner) = value, let next = inner[key] else { return nil }
                value = next
            }
            if case .number(let number) = value { return number }
            return nil
        }
        for (name, path) in [
            ("sextant_receiver_bytes_total", "bytes"), ("sextant_receiver_checksum_failures_total", "checksumFailures"),
            ("sextant_receiver_skipped_bytes_total", "skippedBytes"), ("sextant_epochs_total", "epochs"),
            ("sextant_epoch_age_seconds", "secondsSinceEpoch"),
        ] {
            let expected = try #require(number(source.status, "receiver", path))
            #expect(plain[name] == expected, "\(name)")
        }
        #expect(plain["sextant_position_uncertainty_meters"] == number(source.status, "power", "uncertainty"))
        #expect(
            plain["sextant_fix_horizontal_accuracy_meters"] == number(source.status, "counters", "horizontalAccuracy"))
        #expect(
            plain["sextant_fixes_total", ["type": "threeD"]] == number(source.status, "counters", "fixes", "threeD"))
        #expect(plain["sextant_clients"] == number(source.status, "clients"))
        var causes = 0
        for cause in EnergyCause.allCases {
            let joules = number(source.energy, "sinceBoot", "byCause", "\(cause.name)")
            #expect(plain["sextant_energy_joules_total", ["cause": "\(cause.name)"]] == joules)
            if joules != nil { causes += 1 }
        }
        #expect(causes > 1)
        for state in ["acquiring", "tracking", "hardwareSleep"] {
            let joules = number(source.energy, "sinceBoot", "byState", state)
            #expect(joules != nil && plain["sextant_state_energy_joules_total", ["state": state]] == joules)
        }
        let milliwatts = try #require(number(source.energy, "lastHour", "deviceMilliwatts"))
        #expect(plain["sextant_device_power_watts"] == milliwatts / 1000)
        // The board goes from 48° north, 11° east.
        let places = plain.samples.filter { (47.9...48.1).contains($0.value) || (10.9...11.1).contains($0.value) }
        #expect(places.allSatisfy { $0.value == $0.value.rounded() || $0.name.contains("seconds") }, "\(places)")
        #expect(!text(source).contains("latitude") && !text(source).contains("longitude"))
    }

    @Test(arguments: [
        "plain", #"a "quoted" one"#, #"C:\path\name"#, "two\nlines", #"\n is no line end"#, "\"", "\\",
        String(repeating: "ß", count: 32), "日本語 🛰️ العربية", "\u{202E}evil\u{202C}", "{le=\"1\"} 2", "a\tb\rc",
    ])
    func `MET-04: any name of a client survives as a label`(name: String) throws {
        let quoted = JSONValue.quoted(name)
        let source = try source(
            status: "{\"counters\":{\"events\":{\"waiting\":[{\"client\":\(quoted),\"count\":3}]}}}",
            energy: "{\"sinceBoot\":{\"byClient\":[{\"client\":\(quoted),\"joules\":1.25},"
                + "{\"client\":\(quoted),\"joules\":0.5}]}}")
        for format in MetricsText.Format.allCases {
            let reader = MetricsReader(text(source, format))
            #expect(reader.problems == [])
            #expect(reader["sextant_client_energy_joules_total", ["client": name]] == 1.75, "accounts are added up")
            #expect(reader["sextant_pending_events", ["client": name]] == 3)
        }
    }
}
