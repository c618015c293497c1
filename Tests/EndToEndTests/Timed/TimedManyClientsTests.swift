import Foundation
import Testing

/// How long fifty clients of one daemon wait for each other.
@Suite("Many clients, timed", .serialized)
struct TimedManyClientsTests {
    private static let count = 50
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Reports at least so many seconds apart.
    private func watch(_ socket: String, interval: Int) async throws -> Wire {
        let wire = try Wire(socket: socket)
        _ = try await wire.object { $0.text("event") == "hello" }
        try wire.send(
            "{\"request\":\"watch\",\"minimumInterval\":\(interval),\"pausesAutomatically\":false}\n")
        _ = try await wire.object { $0.text("event") == "watching" }
        return wire
    }

    @Test func `a suspended client delays the others by less than 50 ms`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.plain + ["--speed", "20"])
        defer { receiver.signal(SIGTERM) }
        let daemon = try await Daemon.start(in: scratch)
        var wires: [Wire] = []
        for interval in 2...Self.count { wires.append(try await watch(daemon.socket, interval: interval)) }
        let frozen = try daemon.sextant(["watch", "--json", "--satellites"])
        _ = try await frozen.lines(5)
        let before = try await latencies(wires[0])
        frozen.signal(SIGSTOP)
        let during = try await latencies(wires[0])
        frozen.signal(SIGCONT)
        let (median, late) = (during[during.count / 2] - before[before.count / 2], during[during.count * 9 / 10])
        print("a suspended client: median \(median * 1e3) ms more, 9 of 10 answers within \(late * 1e3) ms")
        #expect(median < 0.05 && late - before[before.count * 9 / 10] < 0.05)
    }

    /// Seconds from a request to its answer, for some seconds of them, sorted.
    private func latencies(_ wire: Wire) async throws -> [Double] {
        var all: [Double] = []
        for _ in 0..<100 {
            let start = ContinuousClock.now
            try wire.send("{\"request\":\"ping\"}\n")
            _ = try await wire.object { $0.text("event") == "pong" }
            all.append((ContinuousClock.now - start) / .seconds(1))
            try await Task.sleep(for: .milliseconds(20))
        }
        return all.sorted()
    }
}
