import BenchControl
import Emulation
import Foundation
import Testing

/// gpsd's own clients, as Debian has them, with a daemon whose clock is driven.
@Suite("gpsd's clients", .serialized)
struct VirtualGPSDClientTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// What gpspipe printed of ten epochs, from before the first until the daemon's end.
    private func gpspipe(
        _ option: String, _ device: ScriptedDevice
    ) async throws -> (pipe: Program, daemon: DrivenDaemon<ScriptedDevice>) {
        let daemon = try await DrivenDaemon.start(in: scratch, device)
        let pipe = try Program("/usr/bin/gpspipe", [option, daemon.address], in: scratch)
        _ = try await pipe.line("the answer to WATCH") { $0.contains("\"class\":\"WATCH\"") }
        try daemon.run(seconds: 10)
        // gpspipe may keep what it read until its own end, which the daemon's brings about.
        try await daemon.quit()
        try await pipe.status()
        return (pipe, daemon)
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: SyntheticReceiver.Output.allCases)
    func `gpspipe -w prints a TPV and a SKY for every epoch`(output: SyntheticReceiver.Output) async throws {
        let (pipe, daemon) = try await gpspipe("-w", .synthetic(output))
        let reports = pipe.outputLines.compactMap(JSON.init(line:))
        let fixes = reports.with("class", "TPV").filter { $0.number("mode") == 3 }
        #expect(fixes.count >= 5)
        for fix in fixes {
            #expect(fix.text("device") == daemon.device)
            #expect(abs((fix.number("lat") ?? 0) - 47.3769) < 0.01 && abs((fix.number("lon") ?? 0) - 8.5417) < 0.01)
            #expect(fix.text("time")?.hasSuffix("Z") == true)
        }
        #expect(Set(fixes.compactMap { $0.text("time") }).count == fixes.count, "one TPV an epoch")
        let sky = try #require(reports.last { $0.objects("satellites")?.isEmpty == false })
        #expect(sky.number("nSat") == sky.objects("satellites").map { Double($0.count) })
        #expect(sky.objects("satellites")?.contains { $0.bool("used") == true } == true)
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: SyntheticReceiver.Output.allCases)
    func `gpspipe -r prints sentences with correct checksums`(output: SyntheticReceiver.Output) async throws {
        let (pipe, _) = try await gpspipe("-r", .synthetic(output))
        let positions = pipe.outputLines.filter { $0.contains("GGA,") && $0.contains(",N,") }
        #expect(positions.count >= 5 && positions.allSatisfy { $0.contains(",4722.") && $0.contains(",00832.") })
        for sentence in pipe.outputLines where !sentence.hasPrefix("{") {
            #expect(Messages.isRight(sentence: sentence), "\(sentence)")
        }
        #expect(pipe.outputLines.contains { $0.contains("RMC,") } && pipe.outputLines.contains { $0.contains("GSV,") })
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpspipe"), "gpspipe is missing: apt-get install gpsd-clients"),
        arguments: SyntheticReceiver.Output.allCases)
    func `gpspipe -R prints only the receiver's complete messages with correct checksums, in order`(
        output: SyntheticReceiver.Output
    ) async throws {
        var bytes = ScriptedDevice.recording(output, seconds: 10)
        // Every thousandth byte is spoiled, and a little noise stands between. Line ends are spared: a sentence whose
        // checksum is right is passed on with a whole one.
        for index in stride(from: 1500, to: bytes.count, by: 1000) where bytes[index] > 0x0D { bytes[index] ^= 0x40 }
        let middle = (bytes[(bytes.count / 2)...].firstIndex(of: 0x0A) ?? bytes.count / 2) + 1
        bytes.insert(contentsOf: [0xD3, 0x00, 0xB5, 0x62, 0x24, 0xFF, 0x0D], at: middle)
        let player = RecordingPlayer(recording: bytes, bitsPerSecond: 9600, isLooping: false)
        let received = try await gpspipe("-R", ScriptedDevice(.recording(player))).pipe.outputBytes
        // Three JSON lines answer WATCH, and one may name the receiver's language once it is heard; otherwise there is
        // nothing but the receiver's bytes.
        let messages = Messages.checked(in: received)
        #expect(messages == Messages.checked(in: bytes))
        let answer = received.split(separator: 0x0A).prefix(3)
        #expect(answer.allSatisfy { $0.starts(with: Array("{\"class\":".utf8)) })
        #expect(received.count == (answer.map(Array.init) + messages).reduce(3) { $0 + $1.count })
    }

    /// Waits until a screen shows something; a second passes for the daemon with each look at it.
    private func text(
        of screen: Screen, _ daemon: DrivenDaemon<ScriptedDevice>, _ what: String, where fits: (String) -> Bool
    ) async throws -> String {
        var failure: (any Error)?
        let text = try await screen.text(what) { text in
            guard !fits(text) else { return true }
            do { try daemon.run(seconds: 1) } catch { failure = error }
            return failure != nil
        }
        if let failure { throw failure }
        return text
    }

    @Test(.enabled(if: Tool.isInstalled("cgps", "tmux"), "cgps or tmux is missing: apt-get install gpsd-clients tmux"))
    func `cgps shows position, time, fix and satellites`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let screen = try Screen(running: "cgps -s \(daemon.address)", in: scratch)
        let text = try await text(of: screen, daemon, "a 3D fix") { $0.contains("3D FIX") && $0.contains("GP ") }
        #expect(text.contains("Latitude:         47.") && text.contains("Longitude:         8.5"))
        #expect(text.contains("Time:        20"))
        #expect(text.contains("Seen ") && text.contains("/Used "))
    }

    @Test(
        .enabled(if: Tool.isInstalled("gpsmon", "tmux"), "gpsmon or tmux is missing: apt-get install gpsd-clients tmux")
    )
    func `gpsmon shows sentences and fields`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
        let screen = try Screen(running: "gpsmon \(daemon.address)", in: scratch)
        let text = try await text(of: screen, daemon, "the sentences") {
            $0.contains("Cooked TPV") && $0.contains("$GNRMC") && $0.contains("4722.") && $0.contains("Lat: 47 22.")
        }
        #expect(text.contains("GNGGA") && text.contains("HDOP"))
    }

    @Test(.enabled(if: Tool.hasPythonClient, "the Python module gps is missing: apt-get install python3-gps"))
    func `Python's gps module reads TPV and SKY`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic())
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
        #expect(try await daemon.letTimePass(untilEndOf: client) == 0)
        let fields = try #require(client.outputLines.first).split(separator: " ")
        #expect(fields.count == 7)
        #expect(fields[1].hasPrefix("47.3") && fields[2].hasPrefix("8.5") && (Int(fields[5]) ?? 0) >= 4)
    }

    private static let canBeUsers =
        geteuid() == 0 && Tool.isInstalled("setpriv", "gpspipe", "cgps", "tmux") && Tool.hasPythonClient

    @Test(
        .enabled(if: canBeUsers, "needs root, setpriv, tmux, gpsd-clients and python3-gps"),
        arguments: [Admission.allowedUser, Admission.deniedUser, Admission.strangeUser])
    func `cgps, gpspipe and Python's gps show the allowed user where the board is, and no other`(user: UInt32)
        async throws
    {
        let admission = try Admission.threeUsers(in: scratch)
        let daemon = try await DrivenDaemon.start(in: scratch, ScriptedDevice.synthetic(), admission: admission)
        let script = """
            import gps, sys
            session = gps.gps(host="127.0.0.1", port=sys.argv[1], mode=gps.WATCH_ENABLE | gps.WATCH_NEWSTYLE)
            for report in session:
                print(dict(report), flush=True)
            """
        let runner = Tool.runner(as: user)
        let programs = try [
            ["/usr/bin/gpspipe", "-w", daemon.address], ["/usr/bin/gpspipe", "-r", daemon.address],
            ["/usr/bin/python3", "-c", script, "\(daemon.port)"],
        ].map { try Program(runner[0], runner.dropFirst() + $0, in: scratch) }
        for program in programs { try await program.line("the answer to WATCH") { $0.contains("WATCH") } }
        let cgps = (runner + ["/usr/bin/cgps", "-s", daemon.address]).joined(separator: " ")
        let screen = try Screen(running: cgps, in: scratch)
        let isAllowed = user == Admission.allowedUser
        // Whoever is not allowed is watched as long as it takes to see the other programs' connections served.
        let text = try await text(of: screen, daemon, "what it knows") {
            isAllowed ? $0.contains("3D FIX") : $0.contains("Latitude")
        }
        try daemon.run(seconds: 10)
        let later = try await self.text(of: screen, daemon, "what it knows later") { $0.contains("Latitude") }
        #expect(text.contains(" 47.3") == isAllowed && later.contains(" 47.3") == isAllowed, "\(later)")
        try await daemon.quit()
        for program in programs {
            try await program.status()
            let isTold = ["47.3", "4722."].contains { program.output.contains($0) }
            #expect(isTold == isAllowed, "\(program.outputLines)")
        }
    }
}
