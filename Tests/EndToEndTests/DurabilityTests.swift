import Foundation
import Glibc
import Testing

/// What the daemon has taken, over its sudden end.
@Suite("Durability", .serialized)
struct DurabilityTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private static let watch =
        #"{"request":"watch","accuracy":"best","deferral":{"timeout":3600},"label":"track"}"# + "\n"

    /// The times of what is held back, seconds since 1970: a watch brings what is from before, a flush the rest.
    private func heldBack(for client: Wire) async throws -> [Int] {
        try client.send(Self.watch + "{\"request\":\"flush\"}\n")
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var times: [Int] = []
        var left: Int?
        while left.map({ $0 > 0 }) ?? true {
            let line = try await client.object { ["location", "flushed"].contains($0.text("event")) }
            if let count = line.number("locations") {
                left = Int(count)
            } else {
                times.append(Int(try style.parse(try #require(line.text("time"))).timeIntervalSince1970))
                left = left.map { $0 - 1 }
            }
        }
        return times
    }

    @Test func `locations held back when the daemon was killed are delivered exactly once by the next daemon`()
        async throws
    {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let state = ["--state-directory", scratch.path]
        let count = 10
        do {
            let daemon = try await Daemon.start(in: scratch, state)
            let client = try Wire(socket: daemon.socket)
            try client.send(Self.watch)
            let watcher = try daemon.sextant(["watch", "--json"])
            // The worker that writes is behind by the last fix at most.
            try await eventually("fixes") { watcher.outputLines.count >= count + 3 ? () : nil }
            daemon.program.signal(SIGKILL)
            #expect(try await daemon.program.status() == -SIGKILL)
        }
        let daemon = try await Daemon.start(in: scratch, state)
        let times = try await heldBack(for: try Wire(socket: daemon.socket))
        #expect(times.count >= count)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1 }, "\(times)")
        // Delivered, they are forgotten: what the next daemon has is later.
        daemon.program.signal(SIGTERM)
        #expect(try await daemon.program.status() == 0)
        let third = try await Daemon.start(in: scratch, state)
        let later = try await heldBack(for: try Wire(socket: third.socket))
        #expect(later.first.map { $0 > times[times.count - 1] } ?? true, "\(later)")
    }
}
