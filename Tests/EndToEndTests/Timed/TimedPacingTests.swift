import Foundation
import Testing

/// Epochs of a receiver on a line of a real speed: every one, once.
@Suite("Pacing, timed", .serialized)
struct TimedPacingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The epochs' times in milliseconds that a watcher saw.
    private func times(_ watcher: Program) throws -> [Int] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The first epoch may have lost its beginning, with its time, before the device was open.
        let epochs = watcher.outputLines.compactMap(JSON.init(line:))
        return try epochs.drop { $0.number("latitude") == nil }.map { epoch in
            let text = try #require(epoch.text("time"), "\(epoch)")
            return Int((try style.parse(text).timeIntervalSince1970 * 1000).rounded())
        }
    }

    @Test func `20 s at 9600 baud give 20 epochs, one second apart`() async throws {
        // The whole sky is more than 9600 baud can carry: satellites in view are left out.
        let whole = try await EmulatedReceiver.recording(in: scratch, seconds: 30, ["--start", "hot"]).bytes
        let sentences = Messages.checked(in: whole).filter { !$0.dropFirst(3).starts(with: "GSV".utf8) }
        let path = try scratch.write(sentences.flatMap(\.self), to: "narrow")
        let daemon = try await Daemon.start(in: scratch, ["--record", scratch.path("flight")])
        let watcher = try daemon.sextant(["watch", "--json", "--count", "20"])
        try await daemon.clients(2)
        let receiver = try await EmulatedReceiver.start(in: scratch, [path, "--baud", "9600"])
        defer { receiver.signal(SIGTERM) }
        let start = ContinuousClock.now
        #expect(try await watcher.status() == 0)
        let elapsed = ContinuousClock.now - start
        let times = try times(watcher)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1000 }, "\(times)")
        #expect(times.count >= 18 && elapsed > .seconds(18) && elapsed < .seconds(24))
    }

    @Test(arguments: ["nmea", "ubx"])
    func `10 epochs a second at 115200 baud each arrive once`(output: String) async throws {
        let daemon = try await Daemon.start(in: scratch)
        // A hot start may take some seconds, each of ten epochs without a position.
        let watcher = try daemon.sextant(["watch", "--json", "--count", "120"])
        try await daemon.clients(2)
        let receiver = try await EmulatedReceiver.start(
            in: scratch, ["--start", "hot", "--baud", "115200", "--rate", "10", "--output", output])
        defer { receiver.signal(SIGTERM) }
        #expect(try await watcher.status() == 0)
        let times = try times(watcher)
        #expect(times.count >= 45)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 100 }, "\(times)")
    }
}
