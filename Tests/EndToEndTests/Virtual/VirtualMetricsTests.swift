import BenchControl
import Emulation
import Foundation
import Receivers
import Testing

/// `sextant metrics`, the page's `/metrics`, and the operator's regions, with real processes on a driven clock.
@Suite("Metrics and the operator's regions in virtual time", .serialized)
struct VirtualMetricsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A daemon whose receiver has tracked for two minutes for a watcher that goes on.
    private func tracking() async throws -> (daemon: VirtualDaemon<Emulation.EmulatedReceiver>, watcher: Program) {
        let board = try BoardText().write(in: scratch)
        let daemon = try await VirtualDaemon.start(
            in: scratch, VirtualBench.receiver(.neoM8N), utc: Int64(VirtualBench.startTime), board: board)
        let watcher = try daemon.sextant(["watch", "--json"])
        try daemon.harness.run(seconds: 120)
        return (daemon, watcher)
    }

    /// The samples of a text in Prometheus's format, by name and labels as they stand there.
    private func samples(_ text: some Sequence<String>) -> [String: Double] {
        var samples: [String: Double] = [:]
        for line in text where !line.hasPrefix("#") {
            guard let space = line.lastIndex(of: " "), let value = Double(line[line.index(after: space)...]) else {
                continue
            }
            samples[String(line[..<space])] = value
        }
        return samples
    }

    @Test func `MET-03: sextant metrics prints what status and energy tell at the same instant`() async throws {
        let (daemon, watcher) = try await tracking()
        defer { watcher.signal(SIGTERM) }
        let status = try await daemon.answer("status")
        let energy = try await daemon.answer("energy")
        let program = try daemon.sextant(["metrics"])
        #expect(try await program.status() == 0, "\(program.errors)")
        let samples = samples(program.outputLines)
        let receiver = try #require(status.object("receiver"))
        #expect(samples["sextant_up"] == 1)
        #expect(samples["sextant_epochs_total"] == receiver.number("epochs"))
        #expect(samples["sextant_epochs_total"] ?? 0 > 60)
        #expect(samples["sextant_receiver_bytes_total"] == receiver.number("bytes"))
        let starts = try #require(status.object("counters")?.objects("starts")?.first)
        let kind = try #require(starts.text("kind"))
        #expect(samples["sextant_starts_total{start=\"\(kind)\",outcome=\"fix\"}"] == 1)
        let spent = try #require(energy.object("sinceBoot"))
        for (cause, _) in try #require(spent.object("byCause")).members {
            let joules = try #require(spent.object("byCause")?.number(cause))
            #expect(samples["sextant_energy_joules_total{cause=\"\(cause)\"}"] == joules)
        }
        #expect(samples.keys.contains { $0.hasPrefix("sextant_client_energy_joules_total{") })
        #expect(!program.output.contains("latitude") && !program.output.contains("47.376"))
    }

    @Test func `MET-02: without a daemon sextant metrics exits with 69, and says so in the place of the old file`()
        async throws
    {
        let file = try scratch.write("sextant_up 1\nsextant_epochs_total 5\n", to: "sextant.prom")
        let result = try await Program.sextant(
            ["metrics", "--socket", scratch.path("nothing"), "--output", file], in: scratch)
        #expect(result.status == 69 && result.program.output.isEmpty && !result.program.errors.isEmpty)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(samples(text.split(separator: "\n").map(String.init)) == ["sextant_up": 0])
    }

    // MARK: The page's

    private static let secret = "00112233445566778899aabbccddeeff"
    private static let scrapers = "ffeeddccbbaa99887766554433221100"

    /// A page of this test's own, and its port.
    private func page(_ socket: String, hasMetrics: Bool = true) async throws -> (program: Program, port: UInt16) {
        let secret = try scratch.write(Self.secret, to: "page.secret")
        let file = scratch.path("metrics.secret")
        if hasMetrics { _ = try scratch.write(Self.scrapers + "\n", to: "metrics.secret") }
        let page = try Program(
            "\(Built.folder)/sextant-page",
            [
                "--socket", socket, "--secret", secret, "--metrics-secret", file, "--config", scratch.path("none"),
                "--web", "\(Checkout.path)/Sources/Service/Page/web", "--port", "0",
            ], in: scratch)
        let line = try await page.logged("listening on port ")
        return (page, try #require(UInt16(line.split(separator: " ").last ?? "")))
    }

    /// The answer to a GET: its head's lines, and those of its body.
    private func get(
        _ path: String, port: UInt16, _ headers: [String]
    ) async throws -> (head: [String], body: [String]) {
        let wire = try Wire(port: port)
        let head = ["GET \(path) HTTP/1.1", "Host: 127.0.0.1:\(port)", "Connection: close"] + headers
        try wire.send(head.map { $0 + "\r\n" }.joined() + "\r\n")
        var lines: [String] = []
        while let line = try? await wire.line() { lines.append(line) }
        let end = lines.firstIndex(of: "") ?? lines.endIndex
        return (Array(lines[..<end]), Array(lines[end...].dropFirst()))
    }

    private func scrape(_ port: UInt16, _ more: String...) async throws -> (head: [String], body: [String]) {
        try await get("/metrics", port: port, ["Authorization: Bearer \(Self.scrapers)"] + more)
    }

    @Test func `MET-02: a scraper with its secret gets of the page what sextant metrics prints`() async throws {
        let (daemon, watcher) = try await tracking()
        defer { watcher.signal(SIGTERM) }
        let page = try await page(daemon.socket)
        defer { page.program.signal(SIGTERM) }
        let answer = try await scrape(page.port)
        #expect(answer.head.first == "HTTP/1.1 200 OK")
        #expect(answer.head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
        #expect(answer.head.contains("Cache-Control: no-store"))
        let command = try daemon.sextant(["metrics"])
        try await command.status()
        let differing = ["sextant_process_resident_memory_bytes", "sextant_reactor_turn_seconds_max"]
        let (scraped, printed) = (samples(answer.body), samples(command.outputLines))
        #expect(scraped.count > 30 && Set(scraped.keys) == Set(printed.keys))
        for (name, value) in printed where !differing.contains(name) { #expect(scraped[name] == value, "\(name)") }
        let open = try await scrape(page.port, "Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
        #expect(open.head.contains { $0.hasPrefix("Content-Type: application/openmetrics-text; version=1.0.0") })
        #expect(open.body.last == "# EOF")
        // The daemon has gone: the page says so, and goes on.
        try daemon.harness.quit()
        try await daemon.program.status()
        #expect(try await samples(scrape(page.port).body) == ["sextant_up": 0])
    }

    @Test func `only the scrapers' secret opens the metrics, it opens nothing else, and without one they are off`()
        async throws
    {
        let page = try await page(scratch.path("nothing"))
        defer { page.program.signal(SIGTERM) }
        for header in [
            "X-None: 1", "Authorization: Bearer \(Self.secret)", "Authorization: Basic \(Self.scrapers)",
            "Authorization: \(Self.scrapers)", "Cookie: sextant=1.2",
        ] {
            let answer = try await get("/metrics", port: page.port, [header])
            #expect(answer.head.first == "HTTP/1.1 403 Forbidden", "\(header)")
        }
        let bearer = "Authorization: Bearer \(Self.scrapers)"
        for path in ["/events", "/track", "/energyHistory"] {
            #expect(try await get(path, port: page.port, [bearer]).head.first == "HTTP/1.1 403 Forbidden")
        }
        try FileManager.default.removeItem(atPath: scratch.path("metrics.secret"))
        let other = try await self.page(scratch.path("nothing"), hasMetrics: false)
        defer { other.program.signal(SIGTERM) }
        #expect(try await get("/metrics", port: other.port, [bearer]).head.first == "HTTP/1.1 404 Not Found")
    }

    @Test func `a secret for scrapers is written, printed, and replaced`() async throws {
        let file = scratch.path("metrics.secret")
        var secrets: Set<String> = []
        for _ in 0..<2 {
            let result = try await Program.sextant(
                ["page", "--new-metrics-secret", "--metrics-secret", file], in: scratch)
            #expect(result.status == 0, "\(result.program.errors)")
            let text = try String(contentsOfFile: file, encoding: .utf8)
            #expect(result.program.output == text && text.utf8.count == 33)
            secrets.insert(text)
        }
        #expect(secrets.count == 2)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o640)
    }

    // MARK: The operator's regions

    @Test func `an operator sees each client's regions, and then each change until it wants no more`() async throws {
        let bench = try await CoreLocationBench.start()
        let tracker = try await bench.client()
        try await bench.tell(tracker, "manager 1 new", "manager 1 region start home 47.3769 8.5417 200")
        let page = try await bench.operator()
        let list = try await page.ask("\"request\":\"regions\",\"enabled\":true")
        #expect(list.text("event") == "regions" && list.number("count") == 1 && list.number("total") == 1)
        let region = try #require(try await page.take().first { $0.text("event") == "region" })
        #expect(region.text("client") == "tracker" && region.text("identifier") == "home")
        #expect(region.number("radius") == 200 && region.text("state") == "unknown")
        for _ in 0..<40 { try await bench.fix() }
        let changes = try await page.take().filter { $0.text("event") == "regionChanged" }
        #expect(changes.map { $0.text("state") } == ["inside"])
        #expect(changes.first?.text("client") == "tracker" && changes.first?.members["latitude"] == nil)
        try await bench.tell(tracker, "manager 1 region stop home")
        #expect(try await page.take().map { $0.text("change") } == ["removed"])
        try await page.ask("\"request\":\"regions\",\"enabled\":false")
        _ = try await page.take()
        try await bench.tell(tracker, "manager 1 region start quay 47.3769 8.5417 100")
        #expect(try await page.take().isEmpty, "no more of these")
    }
}
