import BenchControl
import Emulation
import Foundation
import Testing

/// `sextantd --record` and `sextant replay`.
@Suite("Flight recordings", .serialized)
struct VirtualRecordingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Records some seconds of a spoiled stream on a line of a real speed, its device unplugged for one of them, with
    /// clients of both kinds, and ends the daemon by a signal.
    ///
    /// - Returns: The recording's path.
    private func record(endedBy signal: Int32) async throws -> String {
        let path = scratch.path("flight")
        var faults = Faults.Configuration(seed: 1)
        faults.flipProbability = 0.0005
        let daemon = try await DrivenDaemon.start(
            in: scratch, ScriptedDevice.synthetic(.both, baud: 115_200, faults: faults), "recording: '\(path)',")
        let watcher = try await daemon.watcher("\"satellites\":true,")
        let client = try await daemon.connectToGPSD()
        try client.send("?WATCH={\"enable\":true,\"json\":true,\"nmea\":true};?POLL;?NONSENSE;")
        let local = try await daemon.connect()
        try local.send("{\"request\":\"status\",\"id\":\"1\"}\n{\"request\":\"locate\"}\n?\n")
        try local.send(String(repeating: "y", count: 9000) + "\n")
        #expect(try await local.received().count == 3)
        _ = try await client.receivedFromGPSD()
        try daemon.run(seconds: 5)
        try daemon.harness.unplug()
        try daemon.run(seconds: 1)
        try daemon.harness.plug()
        try daemon.run(seconds: 10)
        #expect(try await watcher.received().with("event", "epoch").count >= 12)
        try daemon.harness.unplug()
        try await daemon.program.logged("went away", times: 2)
        daemon.program.signal(signal)
        try await daemon.program.status()
        return path
    }

    @Test func `a replay gives the same outputs to the byte`() async throws {
        let path = try await record(endedBy: SIGTERM)
        let replay = try await Program.sextant(["replay", path], in: scratch)
        #expect(replay.status == 0)
        #expect(
            replay.program.errorLines.last?.contains(" inputs, 0 with other outputs than recorded, checksum ") == true)
        #expect(!replay.program.outputLines.isEmpty)
        #expect(replay.program.outputLines.allSatisfy { JSON(line: $0)?.text("action") != nil })
        let quiet = try await Program.sextant(["replay", "--quiet", path], in: scratch)
        #expect(quiet.status == 0 && quiet.program.output.isEmpty)
    }

    @Test func `a recording is its owner's alone, and a second start keeps the first one`() async throws {
        let path = try await record(endedBy: SIGTERM)
        let first = FileManager.default.contents(atPath: path)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let daemon = try await DrivenDaemon.start(in: scratch, SilentDevice(), "recording: '\(path)',")
        try await daemon.program.logged("\(path) is kept; recording to \(path).2")
        try await daemon.quit()
        #expect(FileManager.default.contents(atPath: path) == first)
        let replay = try await Program.sextant(["replay", "--quiet", "\(path).2"], in: scratch)
        #expect(replay.status == 0)
    }

    @Test func `a recording that a kill cut off is replayed as far as it is whole`() async throws {
        let path = try await record(endedBy: SIGKILL)
        let whole = try await Program.sextant(["replay", "--quiet", path], in: scratch)
        #expect(whole.status == 0, "\(whole.program.errors)")
        let bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        let cut = try scratch.write(Array(bytes.dropLast(5)), to: "cut")
        let replay = try await Program.sextant(["replay", "--quiet", cut], in: scratch)
        #expect(replay.status == 0)
        #expect(replay.program.errorLines.first == "sextant: \(cut): its last record was cut off; the rest is whole")
        #expect(replay.program.errorLines.last?.contains(", 0 with other outputs than recorded, checksum ") == true)
    }

    @Test func `a changed byte that matters exits 65`() async throws {
        let path = try await record(endedBy: SIGTERM)
        var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        // What a client called its request stands in the answer too.
        let place = try #require(bytes.firstIndex(of: Array("\"request\":\"status\",\"id\":\"1".utf8)))
        bytes[place + 25] = UInt8(ascii: "2")
        let changed = try scratch.write(bytes, to: "changed")
        let replay = try await Program.sextant(["replay", "--quiet", changed], in: scratch)
        #expect(replay.status == 65)
        #expect(
            replay.program.errorLines.last
                == "sextant: \(changed): the outputs differ; another version of sextantd recorded it, or it goes on "
                + "from an earlier file, which must be named before it")
    }

    @Test func `damage, and what is no recording, exit 65 in one line`() async throws {
        let path = try await record(endedBy: SIGTERM)
        var bytes = Array(try #require(FileManager.default.contents(atPath: path)))
        // The length of the second record.
        let second = 12 + Int(bytes[8]) + Int(bytes[9]) << 8
        bytes[second + 3] = 0x7F
        let damaged = try scratch.write(bytes, to: "damaged")
        let replay = try await Program.sextant(["replay", "--quiet", damaged], in: scratch)
        #expect(replay.status == 65)
        let answer = "sextant: \(damaged): damaged at byte \(second); what stands before it was replayed: 1 inputs, "
        #expect(replay.program.errorLines.count == 1 && replay.program.errors.hasPrefix(answer))
        for (name, content) in [("text", "hello\n"), ("empty", "")] {
            let other = try scratch.write(content, to: name)
            let result = try await Program.sextant(["replay", other], in: scratch)
            #expect(result.status == 65)
            #expect(
                result.program.errorLines == [
                    "sextant: \(other): is not a flight recording; sextantd --record FILE writes one"
                ])
        }
        let missing = try await Program.sextant(["replay", scratch.path("none")], in: scratch)
        #expect(missing.status == 74)
        #expect(missing.program.errorLines == ["sextant: \(scratch.path("none")): no such file; check the path"])
    }

    @Test func `a recording that cannot be written is refused at the start`() async throws {
        let path = scratch.path("none/flight")
        let daemon = try Program(
            Built.sextantd,
            ["--device", scratch.path("r"), "--socket", scratch.path("s"), "--gpsd", "off", "--record", path],
            in: scratch)
        #expect(try await daemon.status() == 74)
        #expect(
            daemon.errorLines == [
                "sextantd: \(path): the recording cannot be written: No such file or directory; create its directory first"
            ])
    }

    @Test func `a recording that cannot grow ends, is said once, and the daemon serves on`() async throws {
        let path = scratch.path("flight")
        // A limit on the file's size stands for a full disk.
        let limited = ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 4; exec \"$0\" \"$@\""]
        let daemon = try await DrivenDaemon.start(
            in: scratch, ScriptedDevice.synthetic(), under: limited, "recording: '\(path)',")
        let watcher = try await daemon.watcher()
        try daemon.run(seconds: 60)
        let lines = daemon.program.errorLines.filter { $0.contains("cannot be written") }
        let problem = "\(path): the recording cannot be written: File too large; the recording ends here"
        #expect(lines.count == 1 && lines[0].hasSuffix(problem), "\(lines)")
        #expect(try await watcher.received().with("event", "epoch").count == 60)
        let replay = try await Program.sextant(["replay", "--quiet", path], in: scratch)
        #expect(replay.status == 0 && replay.program.errors.contains(" 0 with other outputs than recorded"))
    }
}

extension [UInt8] {
    /// Where a run of bytes begins.
    fileprivate func firstIndex(of other: [UInt8]) -> Int? {
        indices.first { self[$0...].starts(with: other) }
    }
}
