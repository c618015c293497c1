import Foundation
import Glibc
import Testing

/// A program that is its own daemon.
@Suite("In process")
struct InProcessTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    @Test func `a program without a daemon waits for its device, and gets locations from a tracker in its own process`()
        async throws
    {
        let device = scratch.path("receiver")
        let program = try Program("\(Built.folder)/in-process-example", [device], in: scratch)
        try await program.logged(device)
        #expect(program.isRunning && program.output.isEmpty)
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        #expect(try await program.status() == 0)
        let places = program.outputLines.map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(places.count == 3)
        for place in places {
            try #require(place.count == 3, "\(place)")
            #expect(abs(place[0] - 47.3769) < 0.01 && abs(place[1] - 8.5417) < 0.01 && (0..<100).contains(place[2]))
        }
    }
}
