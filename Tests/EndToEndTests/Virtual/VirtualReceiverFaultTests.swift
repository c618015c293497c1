import BenchControl
import Emulation
import Foundation
import Receivers
import Testing

/// Receivers that misbehave: each fault is named, the daemon goes on, and its flight replays.
@Suite("Receivers at fault", .serialized)
struct VirtualReceiverFaultTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// One way to be at fault, and what `status` makes of it.
    struct Fault: CustomTestStringConvertible {
        var testDescription: String
        var faults: Emulation.EmulatedReceiver.Faults = []
        var wakesAfter: Double?
        /// Whether the board can cut its supply.
        var isSwitched = true
        /// Whether somebody wants to know where it is.
        var isWatched = true
        var kinds: Set<String>
        /// Who it is taken for.
        var receiver = "u-blox MAX-M10S, SPG 5.10"
    }

    private static let faults = [
        Fault(testDescription: "never answers", faults: .neverAnswers, kinds: ["noAnswer"], receiver: "NMEA receiver"),
        Fault(
            testDescription: "answers garbage", faults: .answersGarbage, kinds: ["noAnswer"], receiver: "NMEA receiver"),
        Fault(testDescription: "refuses everything", faults: .refusesAll, kinds: ["refusedConfiguration"]),
        Fault(testDescription: "ignores sleep", faults: .ignoresSleep, isSwitched: false, kinds: ["sleepUnavailable"]),
        Fault(
            testDescription: "wakes by itself", wakesAfter: 30, isSwitched: false, isWatched: false,
            kinds: ["wokeByItself"]),
    ]

    @Test(arguments: faults)
    func `status names a receiver's fault, working functions are still used, and the recording replays`(
        fault: Fault
    ) async throws {
        let receiver = VirtualBench.receiver(.maxM10S) {
            $0.faults = fault.faults
            $0.wakesBySelfAfter = fault.wakesAfter
            $0.isPoweredAtStart = !fault.isSwitched
        }
        let board = BoardText(model: "max-m10s", outputs: fault.isSwitched ? [("powerEnable", false)] : [])
        let flight = scratch.path("flight")
        let daemon = try await VirtualDaemon.start(
            in: scratch, receiver, board: try board.write(in: scratch), "recording: '\(flight)',")
        let watcher = fault.isWatched ? try daemon.sextant(["watch", "--json", "--accuracy", "100"]) : nil
        try daemon.run(hours: 0.1)
        let power = try await daemon.power()
        #expect(power.text("receiver") == fault.receiver)
        #expect(fault.kinds.isSubset(of: Set((power.objects("troubles") ?? []).compactMap { $0.text("kind") })))
        if let watcher { #expect(!watcher.outputLines.isEmpty) }
        let refusals = daemon.program.errorLines.filter { $0.contains("refused") }.map { $0.drop { $0 != "]" } }
        #expect(Set(refusals).count == refusals.count, "each said once: \(daemon.program.errors)")
        try await quitAndReplay(daemon, flight)
    }

    @Test func `a device lost in the middle of a database dump is logged, and used again when it is back`()
        async throws
    {
        let receiver = VirtualBench.receiver(.neoM8N) { $0.backup = .none }
        var board = BoardText(backup: "none", sensesMotion: true)
        board.draw = "{ milliwatts: { acquiring: 96, tracking: 87, cyclic: 30, softwareSleep: 50, hardwareSleep: 0 } }"
        let flight = scratch.path("flight")
        // Only a long rest pays for a dump: one that is watched, as far as the owner lets it be.
        let daemon = try await VirtualDaemon.start(
            in: scratch, receiver, board: try board.write(in: scratch),
            "recording: '\(flight)', power: { probe: 7200 },")
        let watcher = try daemon.sextant(["watch", "--json", "--accuracy", "1000"])
        var (isSaving, seconds) = (false, 0.0)
        while !isSaving, seconds < 300 {
            try daemon.harness.run(seconds: 0.5)
            seconds += 0.5
            if try await daemon.power().text("state") == "savingOrbits" { isSaving = true }
        }
        #expect(isSaving)
        try daemon.harness.unplug()
        #expect(try await daemon.power().objects("troubles")?.contains { $0.text("kind") == "databaseLost" } == true)
        try daemon.harness.plug()
        let seen = watcher.outputLines.count
        try daemon.run(hours: 1)
        #expect(watcher.outputLines.count > seen)
        try await quitAndReplay(daemon, flight)
    }

    /// Ends the daemon; what it recorded gives the same again.
    private func quitAndReplay(
        _ daemon: VirtualDaemon<Emulation.EmulatedReceiver>, _ flight: String
    ) async throws {
        try daemon.harness.quit()
        #expect(try await daemon.program.status() == 0)
        let replay = try await Program.sextant(["replay", "--quiet", flight], in: scratch)
        #expect(replay.status == 0, "\(replay.program.errors)")
    }
}
