import BenchControl
import Foundation
import Glibc
import Testing

/// What the daemon has taken, over its sudden end.
@Suite("Durability", .serialized)
struct VirtualDurabilityTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let watch =
        #"{"request":"watch","accuracy":"best","deferral":{"timeout":3600},"label":"track"}"# + "\n"

    private func start() async throws -> DrivenDaemon<SilentDevice> {
        try await DrivenDaemon.start(in: scratch, SilentDevice(), "stateDirectory: '\(scratch.path)',")
    }

    /// Has the receiver send a solution of each of these seconds since the beginning.
    private func send(_ seconds: Range<Int>, to daemon: DrivenDaemon<SilentDevice>) throws {
        for second in seconds {
            try daemon.harness.send(InjectedFix().frames(at: VirtualBench.startTime + Double(second)))
            try daemon.run(seconds: 1)
        }
    }

    /// What is held back for a client, in seconds since the beginning: a watch brings what is from before, a flush the
    /// rest.
    private func heldBack(for client: Wire) async throws -> [Int] {
        try client.send(Self.watch + "{\"request\":\"flush\"}\n")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        return try await client.received().with("event", "location").map { location in
            let time = try style.parse(try #require(location.text("time"))).timeIntervalSince1970
            return Int((time - VirtualBench.startTime).rounded())
        }
    }

    @Test func `locations held back when the daemon was killed are delivered exactly once by the next daemon`()
        async throws
    {
        do {
            let daemon = try await start()
            let client = try await daemon.connect()
            try client.send(Self.watch)
            #expect(try await client.received().with("event", "location").isEmpty)
            try send(0..<10, to: daemon)
            #expect(try await client.received().with("event", "location").isEmpty, "all are held back")
            daemon.program.signal(SIGKILL)
            #expect(try await daemon.program.status() == -SIGKILL)
        }
        do {
            let daemon = try await start()
            #expect(try await heldBack(for: try await daemon.connect()) == Array(0..<10))
            // They were delivered, and so they are forgotten. More are held back for the client that is connected.
            let client = try await daemon.connect()
            #expect(try await heldBack(for: client) == [])
            try send(10..<15, to: daemon)
            daemon.program.signal(SIGTERM)
            #expect(try await daemon.program.status() == 0)
        }
        let daemon = try await start()
        #expect(try await heldBack(for: try await daemon.connect()) == Array(10..<15))
    }
}
