import BenchControl
import Emulation
import Foundation
import Receivers
import SextantUnits
import Testing

/// The daemon's own service on a driven clock, with real clients: hours in seconds, and the same every time.
@Suite("Virtual time", .serialized)
struct VirtualTimeTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Seconds since 1970 of the epochs with a position that a watcher saw.
    private func times(_ watcher: Program) throws -> [Int] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let epochs = watcher.outputLines.compactMap(JSON.init(line:)).filter { $0.number("latitude") != nil }
        return try epochs.map { epoch in
            let text = try #require(epoch.text("time"), "\(epoch)")
            return Int(try style.parse(text).timeIntervalSince1970)
        }
    }

    private func isGapless(_ times: [Int]) -> Bool { zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1 } }

    @Test func `a watcher gets every epoch of an hour`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice())
        let watcher = try daemon.sextant(["watch", "--json", "--count", "3590"])
        try daemon.harness.run(seconds: 3600)
        #expect(try await watcher.status() == 0)
        let times = try times(watcher)
        #expect(times.count >= 3585 && isGapless(times))
    }

    @Test func `the same run gives the same bytes`() async throws {
        var outputs: [[UInt8]] = []
        for _ in 0..<2 {
            let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(acquisition: .coldStart))
            let watcher = try daemon.sextant(["watch", "--json", "--satellites", "--count", "60"])
            try daemon.harness.run(seconds: 65)
            #expect(try await watcher.status() == 0)
            outputs.append(watcher.outputBytes)
        }
        #expect(outputs[0] == outputs[1] && !outputs[0].isEmpty)
    }

    @Test func `a flight recorded in virtual time replays to the same bytes`() async throws {
        let flight = scratch.path("flight")
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(), "recording: '\(flight)',")
        _ = try daemon.sextant(["watch", "--json"])
        try daemon.harness.run(seconds: 60)
        try daemon.harness.quit()
        #expect(try await daemon.program.status() == 0)
        let replay = try await Program.sextant(["replay", flight], in: scratch)
        #expect(replay.status == 0, "\(replay.program.errors)")
    }

    @Test func `locate answers exactly when the receiver has a fix`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(acquisition: .coldStart))
        let client = try daemon.sextant(["locate", "--json", "--timeout", "3600"])
        try daemon.harness.run(seconds: 20)
        try await client.caughtUp()
        #expect(client.isRunning)
        try daemon.harness.run(seconds: 15)
        #expect(try await client.status() == 0)
        #expect(try await JSON(line: client.lines(1)[0])?.number("latitude").map { abs($0 - 47.38) < 0.1 } == true)
    }

    @Test func `a locate with a timeout of an hour ends at once when virtual time passes it`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice())
        // With --json nobody is told why nothing comes, so that time alone passes.
        let client = try daemon.sextant(["locate", "--json", "--timeout", "3600"])
        let deadline = daemon.harness.now.advanced(byNanoseconds: 3_600_000_000_000)
        let asked = daemon.harness.idle
        #expect(asked.wake == deadline)
        try daemon.harness.run(until: deadline.advanced(byNanoseconds: -1))
        #expect(daemon.harness.idle.wakeUps == asked.wakeUps && daemon.harness.idle.wake == deadline)
        try await client.caughtUp()
        #expect(client.isRunning)
        try daemon.harness.run(until: deadline)
        #expect(try await client.status() == 75)
        #expect(client.errors.contains("no fix in the time given"))
    }

    @Test func `a daemon with nothing to do is not woken for an hour`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice())
        let watcher = try daemon.sextant(["watch", "--json"])
        let before = daemon.harness.idle
        #expect(before.wake == nil)
        try daemon.harness.run(seconds: 3600)
        #expect(daemon.harness.idle.wakeUps == before.wakeUps && daemon.harness.idle.wake == nil)
        #expect(watcher.isRunning)
    }

    @Test func `a receiver that fell silent causes one last wake-up, and then none for a day`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(seconds: 10))
        try daemon.harness.run(seconds: 11)
        let before = daemon.harness.idle
        try daemon.harness.run(seconds: 86_400)
        #expect(daemon.harness.idle.wakeUps == before.wakeUps + 1 && daemon.harness.idle.wake == nil)
        #expect(daemon.program.errorLines.filter { $0.contains("nothing heard for 5 s") }.count == 1)
        #expect(try await daemon.receiver().text("state") == "silent")
    }

    /// 1970, 2096 and nobody's, while a position is waited for.
    @Test func `steps of the wall clock by decades change nothing`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(), utc: 1_772_323_000)
        let watcher = try daemon.sextant(["watch", "--json"])
        try daemon.harness.run(seconds: 20)
        for utc in [0, 3_980_000_000, nil] as [Int64?] {
            let before = daemon.harness.idle
            try daemon.harness.setUTC(utc)
            #expect(daemon.harness.idle == before)
            try daemon.harness.run(seconds: 20)
        }
        try await watcher.caughtUp()
        let times = try times(watcher)
        #expect(times.count >= 75 && isGapless(times))
        #expect(times.first.map { (1_772_323_200..<1_772_323_210).contains($0) } == true)
        #expect(try await daemon.receiver().text("state") == "receiving")
    }

    @Test func `an unplugged receiver is waited for without wake-ups, and read again when plugged in`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(), "baud: 9600,")
        let watcher = try daemon.sextant(["watch", "--json"])
        try daemon.harness.run(seconds: 10)
        try daemon.harness.unplug()
        try await daemon.program.logged("the device went away; waiting for it to return")
        let away = daemon.harness.idle
        try await watcher.caughtUp()
        let seen = try times(watcher).count
        #expect(seen >= 7 && away.wake == nil)
        try daemon.harness.run(seconds: 100)
        #expect(daemon.harness.idle.wakeUps == away.wakeUps)
        #expect(try await daemon.receiver().text("state") == "absent")
        try daemon.harness.plug()
        try daemon.harness.run(seconds: 10)
        try await daemon.program.logged("receiving", times: 2)
        try await watcher.caughtUp()
        let times = try times(watcher)
        #expect(times.count == seen + 10)
        #expect(zip(times, times.dropFirst()).filter { $1 - $0 != 1 }.map { $1 - $0 > 95 } == [true])
        #expect(daemon.rates == [9600, 9600])
    }

    @Test func `an unknown baud rate is searched for on the port`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(rate: 115_200))
        try daemon.harness.run(seconds: 60)
        #expect(daemon.rates.first == 9600 && daemon.rates.last == 115_200)
        #expect(try await daemon.receiver().number("baud") == 115_200)
        let told = (daemon.harness.trace ?? []).map(\.instant)
        #expect(told == told.sorted() && Set(told).count == told.count, "each was told at its own instant")
    }

    @Test func `a client that does not read is disconnected, and time advances for the others`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice())
        let before = daemon.harness.idle
        let stalled = try Wire(socket: daemon.socket)
        try stalled.send("{\"request\":\"watch\",\"satellites\":true}\n")
        try daemon.harness.serve(wakeUps: 2, since: before)
        let watcher = try daemon.sextant(["watch", "--json", "--count", "3000"])
        try daemon.harness.waitForClients(false)
        // The one that reads is waited for here.
        for _ in 0..<301 {
            try daemon.harness.run(seconds: 10)
            try await watcher.caughtUp()
        }
        #expect(try await watcher.status() == 0)
        #expect(daemon.program.errorLines.filter { $0.contains("does not read; it is dropped") }.count == 1)
        try await stalled.closed()
    }

    @Test func `an input that the daemon does not listen to is refused, and so is an invalid command`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SilentDevice())
        let refusal = #expect(throws: BenchError.self) { try daemon.harness.setInput(.motionInterrupt, true) }
        #expect(
            "\(refusal.map { "\($0)" } ?? "")"
                == "sextantd-bench refused: motionInterrupt: the daemon has not opened this line")
        try daemon.harness.run(seconds: 1)
        try daemon.harness.quit()
        #expect(try await daemon.program.status() == 0)
        #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    }
}
