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
    /// Bytes of the log's head, and of a deferred fix in it.
    private static let (head, record) = (20, 113)

    /// Whole fixes in the log.
    private var kept: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: scratch.path("deferred.log"))
        return ((attributes?[.size] as? Int ?? 0) - Self.head) / Self.record
    }

    /// The times of the next locations, seconds since 1970.
    private func times(_ count: Int, from client: Wire) async throws -> [Int] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        var times: [Int] = []
        while times.count < count {
            let location = try await client.object { $0.text("event") == "location" }
            times.append(Int(try style.parse(try #require(location.text("time"))).timeIntervalSince1970))
        }
        return times
    }

    @Test func `what was held back when the daemon was killed is delivered by the next, once`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let state = ["--state-directory", scratch.path]
        do {
            let daemon = try await Daemon.start(in: scratch, state)
            let client = try Wire(socket: daemon.socket)
            try client.send(Self.watch)
            try await eventually("10 fixes in the log") { kept >= 10 ? () : nil }
            daemon.program.signal(SIGKILL)
            #expect(try await daemon.program.status() == -SIGKILL)
        }
        let count = kept
        let daemon = try await Daemon.start(in: scratch, state)
        let client = try Wire(socket: daemon.socket)
        try client.send(Self.watch + "{\"request\":\"flush\"}\n")
        let times = try await times(count, from: client)
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 1 }, "\(times)")
        // Delivered, they are forgotten: what comes next is later.
        try await eventually("3 fixes after them in the log") { (3..<count).contains(kept) ? () : nil }
        try client.send("{\"request\":\"flush\"}\n")
        let next = try await self.times(1, from: client)
        #expect(next[0] > times[count - 1])
    }
}
