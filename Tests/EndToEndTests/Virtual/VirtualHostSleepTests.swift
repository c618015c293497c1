import Foundation
import Testing

/// `sextant host`, on a board that names no switch.
@Suite("Host sleep command")
struct VirtualHostSleepTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `host says why the board stays on, keeps it on, and refuses a trial without a switch`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice(), "hostSleep: { allowed: true },")
        let first = try await daemon.finish(["host"])
        #expect(first.status == 0)
        let lines = first.program.outputLines
        #expect(lines.first == "the board stays on:")
        #expect(lines.contains { $0.hasPrefix("  noSwitch: the board's file names no switch") })
        #expect(!lines.contains { $0.hasPrefix("  notAllowed") })

        let status = try await daemon.finish(["status"]).program.outputLines
        #expect(status.contains { $0.hasPrefix("board: stays on (noSwitch, notTried") }, "\(status)")

        #expect(
            try await daemon.finish(["host", "stay-awake", "2h"]).program.outputLines
                == ["the board stays on for 2 h"])
        let kept = try await daemon.finish(["host", "--json"])
        let line = try #require(kept.program.outputLines.first)
        #expect(line.contains(#""reasons":["noSwitch","notTried","stayAwake""#), "\(line)")

        let tried = try await daemon.finish(["host", "try"])
        #expect(tried.status == 69)
        #expect(tried.program.errors.contains("the board's file names no switch"))
    }

    @Test func `without a word of it in the configuration host says what is needed`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice())
        let asked = try await daemon.finish(["host"])
        #expect(asked.status == 69)
        #expect(asked.program.errors.contains("/etc/sextant/sextant.json5 has no hostSleep"))
    }
}
