import Foundation
import Testing

/// A program that is its own daemon.
@Suite("In process", .serialized)
struct InProcessTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a program without a daemon gets locations from a tracker in its own process`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, ["--start", "hot", "--baud", "115200"])
        defer { receiver.signal(SIGTERM) }
        let program = try Program("\(Built.directory)/in-process-example", [scratch.path("receiver")], in: scratch)
        #expect(try await program.status(within: 30) == 0)
        let places = program.outputLines.map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(places.count == 3)
        for place in places {
            try #require(place.count == 3, "\(place)")
            #expect(abs(place[0] - 47.3769) < 0.01 && abs(place[1] - 8.5417) < 0.01 && (0..<100).contains(place[2]))
        }
    }

    @Test func `a missing device is logged and waited for`() async throws {
        let program = try Program("\(Built.directory)/in-process-example", [scratch.path("none")], in: scratch)
        try await program.logged("none")
        #expect(program.isRunning)
    }
}
