import Foundation
import Testing

/// What the daemon costs while nobody wants anything of it.
///
/// `SEXTANT_IDLE_SECONDS=60` watches it for that long, and prints what was counted.
@Suite("Idle, timed", .serialized)
struct TimedIdleTests {
    private let scratch: Scratch
    private static let seconds = ProcessInfo.processInfo.environment["SEXTANT_IDLE_SECONDS"].flatMap { Double($0) }

    init() throws { scratch = try Scratch() }

    @Test func `without clients and requests the daemon does not wake up and uses no processor time`() async throws {
        let live = try await LiveBoard.start(
            in: scratch, emulation: ["--start", "hot"], ["--state-directory", scratch.path])
        let daemon = live.daemon
        // A client that was served leaves nothing behind that wakes it; the store has its thread by now.
        let client = try daemon.sextant(["watch", "--json", "--accuracy", "100"])
        try await live.passed(["acquire", "track"])
        // What this process starts has its blocked signals, and a client of the command line blocks none by itself.
        client.signal(SIGKILL)
        try await live.passed(["acquire", "track", "sleep"])
        // Its rest and the client's end are over before anything is counted.
        _ = try await rested(daemon)
        let wakes = try #require(try await daemon.status().object("power")?.number("hostWakes"))
        let start = try await rested(daemon)
        #expect(start.threads > 1)
        let seconds = Self.seconds ?? 5
        try await Task.sleep(for: .seconds(seconds))
        let end = try ProcessFigures(of: daemon.program.identifier)
        #expect(end == start, "\(seconds) s")
        // Its own asking is a client that leaves and is in use for 5 s more, and one that connects and asks.
        let more = try #require(try await daemon.status().object("power")?.number("hostWakes")) - wakes
        #expect(more <= 4)
        guard Self.seconds != nil else { return }
        print(
            """
            in \(seconds) s: \(end.sleeps - start.sleeps) wake-ups and \(end.ticks - start.ticks) ticks of \
            \(end.threads) threads; \(more) wake-ups by its own count, of which asking for it costs up to 4
            """)
    }

    /// Waits until nothing has happened for six seconds: a client that leaves counts as in use for five.
    private func rested(_ daemon: Daemon) async throws -> ProcessFigures {
        var last = try ProcessFigures(of: daemon.program.identifier)
        var quiet = 0
        for _ in 0..<120 {
            try await Task.sleep(for: .milliseconds(500))
            let now = try ProcessFigures(of: daemon.program.identifier)
            quiet = now == last ? quiet + 1 : 0
            if quiet == 12 { return now }
            last = now
        }
        throw Late(description: "the daemon does not come to rest")
    }

    /// A receiver on the line that says nothing, and one that has said something.
    @Test(arguments: [(pause: "0:1000", mark: "receiver: open"), (pause: "1.5:1000", mark: "nothing heard for 5 s")])
    func `the daemon does not wake up when there is no input and its client is idle`(pause: String, mark: String)
        async throws
    {
        let daemon = try await Daemon.start(in: scratch)
        let client = try Wire(socket: daemon.socket)
        try client.send("{\"request\":\"watch\"}\n")
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain + ["--pause", pause])
        defer { receiver.signal(SIGTERM) }
        try await daemon.program.logged(mark)
        let deadline = ContinuousClock.now + .seconds(120)
        var wasQuiet = false
        while !wasQuiet, ContinuousClock.now < deadline { wasQuiet = try await isQuiet(daemon.program.identifier) }
        #expect(wasQuiet)
    }

    /// Whether it slept for 3 s on end.
    ///
    /// The terminals of other tests come and go in the directory where its device
    /// is, which it must look at: it gets more than one try.
    private func isQuiet(_ process: Int32) async throws -> Bool {
        let before = try switches(of: process)
        try await Task.sleep(for: .seconds(3))
        return try switches(of: process) == before
    }

    /// Voluntary context switches of all threads so far.
    private func switches(of process: Int32) throws -> Int {
        let tasks = "/proc/\(process)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
            let status = try String(contentsOfFile: "\(tasks)/\(task)/status", encoding: .utf8)
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}
