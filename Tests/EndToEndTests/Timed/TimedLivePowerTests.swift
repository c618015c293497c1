import Foundation
import Glibc
import Testing

/// Power in real time: the daemon, a client's process, and an emulated receiver on a pseudo-terminal with its lines.
@Suite("Power, timed", .serialized)
struct TimedLivePowerTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Northwards at so many metres a second, for an hour from now on.
    private func truth(metresPerSecond speed: Double) throws -> String {
        let now = Date().timeIntervalSince1970.rounded()
        let north = 46.5 + speed * 3600 / 111_195
        return try scratch.write(
            "time,latitude,longitude\n\(now),46.5,7.25\n\(now + 3600),\(north),7.25\n", to: "truth.csv")
    }

    private func wakes(_ daemon: Daemon) async throws -> Double {
        try #require(try await daemon.status().object("power")?.number("hostWakes"))
    }

    @Test func `the receiver is on for a fix, off until the next, and stays off once its client is killed`()
        async throws
    {
        // Hot starts of 4 s, and 100 m for a runner: the next fix is needed some seconds after the last.
        let live = try await LiveBoard.start(
            in: scratch, truth: try truth(metresPerSecond: 5), emulation: ["--start", "hot"])
        let client = try live.daemon.sextant(["watch", "--json", "--accuracy", "100"])
        try await live.passed(["acquire", "track", "sleep"])
        let rest = try #require(try await live.daemon.status().object("power"))
        let clock = ContinuousClock.now
        try await live.passed(["acquire", "track", "sleep", "acquire"])
        let waited = (ContinuousClock.now - clock) / .seconds(1)
        #expect(abs(try #require(rest.number("nextStart")) - waited) < 1, "\(rest)")
        #expect(client.outputLines.contains { $0.contains("\"event\":\"location\"") })

        client.signal(SIGKILL)
        try await eventually("the receiver off", within: 5) { live.states.last == "sleep" ? () : nil }
        // What was under way is over, the client's end is served, and it no longer counts as in use.
        try await Task.sleep(for: .seconds(6))
        let (states, before) = (live.states, try await wakes(live.daemon))
        try await Task.sleep(for: .seconds(6))
        #expect(live.states == states)
        // Its own asking is a client that leaves, and is no longer in use 5 s after, and one that connects and asks.
        let later = try await wakes(live.daemon)
        #expect(later - before <= 4, "\(later - before) wake-ups")
    }
}
