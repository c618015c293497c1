import BenchControl
import Emulation
import Foundation
import Testing

/// Epochs of a receiver on a line of a real speed, some bytes at a time: every one, once.
///
/// `TimedPacingTests` has the same on a pseudo-terminal in real time.
@Suite("Pacing in virtual time", .serialized)
struct VirtualPacingTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// The times in milliseconds of the epochs with a position that a watcher is told in so many seconds.
    private func times(_ device: ScriptedDevice, seconds: Double) async throws -> [Int] {
        let daemon = try await DrivenDaemon.start(in: scratch, device)
        let watcher = try await daemon.watcher()
        try daemon.run(seconds: seconds)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try await watcher.received().with("event", "epoch").filter { $0.number("latitude") != nil }.map {
            Int((try style.parse(try #require($0.text("time"))).timeIntervalSince1970 * 1000).rounded())
        }
    }

    @Test func `20 s at 9600 baud give an epoch a second`() async throws {
        // The whole sky is more than 9600 baud can carry: satellites in view are left out.
        let sentences = Messages.checked(in: ScriptedDevice.recording(seconds: 30)).filter {
            !$0.dropFirst(3).starts(with: "GSV".utf8)
        }
        let player = RecordingPlayer(
            recording: sentences.flatMap(\.self), bitsPerSecond: 9600, isLooping: false)
        let times = try await times(ScriptedDevice(.recording(player), baud: 9600), seconds: 21)
        #expect(times.count >= 18)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1000 }, "\(times)")
    }

    @Test(arguments: [SyntheticReceiver.Output.nmea, .ubx])
    func `10 epochs a second at 115200 baud each arrive once`(output: SyntheticReceiver.Output) async throws {
        let times = try await times(.synthetic(output, rate: 10, baud: 115_200), seconds: 12)
        #expect(times.count >= 90)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 100 }, "\(times)")
    }
}
