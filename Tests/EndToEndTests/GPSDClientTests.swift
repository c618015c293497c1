import Foundation
import Testing

/// gpsd's own clients, as Debian has them.
@Suite("gpsd's clients", .serialized)
struct GPSDClientTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: ["nmea", "ubx", "both"])
    func `gpspipe -w prints a TPV and a SKY for every epoch`(output: String) async throws {
        let daemon = try await Daemon.start(in: scratch)
        let pipe = try Program("/usr/bin/gpspipe", ["-w", daemon.address], in: scratch)
        _ = try await pipe.line("the answer to WATCH") { $0.contains("\"class\":\"WATCH\"") }
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.fast + ["--output", output])
        defer { receiver.signal(SIGTERM) }
        let fixes = try await eventually("five 3D fixes", seen: { pipe.output }) {
            let fixes = pipe.outputLines.compactMap(JSON.init(line:)).filter {
                $0.text("class") == "TPV" && $0.number("mode") == 3
            }
            return fixes.count >= 5 ? fixes : nil
        }
        for fix in fixes {
            #expect(fix.text("device") == daemon.device)
            #expect(abs((fix.number("lat") ?? 0) - 47.37) < 0.1 && abs((fix.number("lon") ?? 0) - 8.54) < 0.1)
            #expect(fix.text("time")?.hasSuffix("Z") == true)
        }
        #expect(Set(fixes.compactMap { $0.text("time") }).count == fixes.count, "one TPV an epoch")
        let sky = try #require(
            pipe.outputLines.compactMap(JSON.init(line:)).last { $0.objects("satellites")?.isEmpty == false })
        #expect(sky.number("nSat") == sky.objects("satellites").map { Double($0.count) })
        #expect(sky.objects("satellites")?.contains { $0.bool("used") == true } == true)
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: ["nmea", "ubx", "both"])
    func `gpspipe -r prints sentences with correct checksums`(output: String) async throws {
        let daemon = try await Daemon.start(in: scratch)
        let pipe = try Program("/usr/bin/gpspipe", ["-r", daemon.address], in: scratch)
        _ = try await pipe.line("the answer to WATCH") { $0.contains("\"class\":\"WATCH\"") }
        let receiver = try await EmulatedReceiver.start(
            in: scratch, EmulatedReceiver.fast + ["--output", output])
        defer { receiver.signal(SIGTERM) }
        let positions = try await eventually("five positions", seen: { pipe.output }) {
            let lines = pipe.outputLines.filter { $0.contains("GGA,") && $0.contains(",N,") }
            return lines.count >= 5 ? lines : nil
        }
        #expect(positions.allSatisfy { $0.contains(",4722.") && $0.contains(",00832.") })
        for sentence in pipe.outputLines where !sentence.hasPrefix("{") {
            #expect(Messages.isRight(sentence: sentence), "\(sentence)")
        }
        #expect(pipe.outputLines.contains { $0.contains("RMC,") } && pipe.outputLines.contains { $0.contains("GSV,") })
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: ["nmea", "ubx", "both"])
    func `gpspipe -R prints only the receiver's complete messages with correct checksums, in order`(
        output: String
    ) async throws {
        var bytes = try await EmulatedReceiver.recording(in: scratch, output: output, seconds: 20).bytes
        // Every thousandth byte is spoiled, and a little noise stands between. Line ends are spared: a sentence whose
        // checksum is right is passed on with a whole one.
        for index in stride(from: 1500, to: bytes.count, by: 1000) where bytes[index] > 0x0D { bytes[index] ^= 0x40 }
        let middle = (bytes[(bytes.count / 2)...].firstIndex(of: 0x0A) ?? bytes.count / 2) + 1
        bytes.insert(contentsOf: [0xD3, 0x00, 0xB5, 0x62, 0x24, 0xFF, 0x0D], at: middle)
        let sent = Messages.checked(in: bytes)
        let recording = try scratch.write(bytes, to: "damaged")
        let daemon = try await Daemon.start(in: scratch)
        let pipe = try Program("/usr/bin/gpspipe", ["-R", daemon.address], in: scratch)
        _ = try await pipe.line("the answer to WATCH") { $0.contains("\"class\":\"WATCH\"") }
        let receiver = try await EmulatedReceiver.start(in: scratch, [recording, "--baud", "off", "--speed", "10"])
        try await receiver.status()
        try await daemon.program.logged("went away")
        // gpspipe keeps what has no line end until its own end, which is the daemon's.
        daemon.program.signal(SIGTERM)
        try await pipe.status()
        let received = pipe.outputBytes
        // Three JSON lines answer WATCH; then there is nothing but the receiver's bytes.
        let messages = Messages.checked(in: received)
        #expect(messages == sent.suffix(messages.count))
        #expect(sent.count - messages.count <= 40, "no more than what came before the device was open")
        let answer = received.split(separator: 0x0A).prefix(3)
        #expect(answer.allSatisfy { $0.starts(with: Array("{\"class\":".utf8)) })
        #expect(received.count == (answer.map(Array.init) + messages).reduce(3) { $0 + $1.count })
    }

    @Test(.enabled(if: Tool.isInstalled("cgps", "tmux"), "cgps or tmux is missing: apt-get install gpsd-clients tmux"))
    func `cgps shows position, time, fix and satellites`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        let screen = try Screen(running: "cgps -s \(daemon.address)", in: scratch)
        let text = try await screen.text("a 3D fix") { $0.contains("3D FIX") && $0.contains("GP ") }
        #expect(text.contains("Latitude:         47.") && text.contains("Longitude:         8.5"))
        #expect(text.contains("Time:        20"))
        #expect(text.contains("Seen ") && text.contains("/Used "))
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpsmon", "tmux"), "gpsmon or tmux is missing: apt-get install gpsd-clients tmux")
    )
    func `gpsmon shows sentences and fields`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        let screen = try Screen(running: "gpsmon \(daemon.address)", in: scratch)
        let text = try await screen.text("the sentences") {
            $0.contains("Cooked TPV") && $0.contains("$GNRMC") && $0.contains("4722.") && $0.contains("Lat: 47 22.")
        }
        #expect(text.contains("GNGGA") && text.contains("HDOP"))
    }

    @Test(.enabled(if: Tool.hasPythonClient, "the Python module gps is missing: apt-get install python3-gps"))
    func `Python's gps module reads TPV and SKY`() async throws {
        let daemon = try await Daemon.start(in: scratch)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain)
        defer { receiver.signal(SIGTERM) }
        let script = try scratch.write(
            """
            import gps, sys
            session = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
            sky = None
            for report in session:
                if report["class"] == "SKY" and hasattr(report, "satellites"):
                    sky = report
                if report["class"] == "TPV" and report.mode == 3 and sky:
                    used = len([s for s in sky.satellites if s.used])
                    print(report.time, report.lat, report.lon, report.altMSL, report.speed, used, sky.hdop)
                    break
            """, to: "client.py")
        let client = try Program("/usr/bin/python3", [script, "\(daemon.port)"], in: scratch)
        #expect(try await client.status() == 0)
        let fields = try #require(client.outputLines.first).split(separator: " ")
        #expect(fields.count == 7)
        #expect(fields[1].hasPrefix("47.3") && fields[2].hasPrefix("8.5") && (Int(fields[5]) ?? 0) >= 4)
    }
}
