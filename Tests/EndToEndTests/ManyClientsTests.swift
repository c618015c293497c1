import BenchControl
import Foundation
import Testing

/// Fifty clients of one daemon.
@Suite("Many clients", .serialized)
struct ManyClientsTests {
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

    @Test func `each of 50 clients gets its own stream`() async throws {
        let daemon = try await VirtualDaemon.start(in: scratch, SyntheticDevice())
        var wires: [Wire] = []
        for interval in 1...Self.count { wires.append(try await watch(daemon.socket, interval: interval)) }
        try daemon.harness.run(seconds: 300)
        var streams: [[Int]] = []
        for wire in wires { streams.append(try await times(wire)) }
        #expect(streams[0].count >= 290)
        for interval in 1...Self.count {
            // Time counts from when the first was told, which is some tenths of a second after it was measured.
            let stream = streams[interval - 1]
            #expect(stream.count > 290 / interval - 1 && (interval...interval + 1).contains(stream[1] - stream[0]))
            let expected = streams[0].filter { $0 >= stream[1] && ($0 - stream[1]) % interval == 0 }
            #expect(Array(stream.dropFirst()) == expected, "every \(interval) s")
        }
    }

    /// The times of all reports so far, whole seconds since 1970.
    private func times(_ wire: Wire) async throws -> [Int] {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        try wire.send("{\"request\":\"ping\"}\n")
        var times: [Int] = []
        while true {
            let event = try await wire.object()
            if event.text("event") == "pong" { return times }
            guard event.text("event") == "location", let text = event.text("time") else { continue }
            times.append(Int(try style.parse(text).timeIntervalSince1970.rounded()))
        }
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
        #expect(median < 0.05 && late - before[before.count * 9 / 10] < 0.05)
        report("median \(median * 1e3) ms more while one is frozen; 9 of 10 within \(late * 1e3) ms")
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

    @Test func `each client costs the daemon at most 100 kB of memory`() async throws {
        let receiver = try await EmulatedReceiver.start(in: scratch, EmulatedReceiver.fast)
        defer { receiver.signal(SIGTERM) }
        let daemon = try await Daemon.start(in: scratch)
        var wires = [try await watch(daemon.socket, interval: 1)]
        for _ in 0..<3 { _ = try await wires[0].object { $0.text("event") == "location" } }
        let one = try ProcessFigures.residentBytes(of: daemon.program.identifier)
        for interval in 2...Self.count { wires.append(try await watch(daemon.socket, interval: interval % 3)) }
        for wire in wires {
            for _ in 0..<3 { _ = try await wire.object { $0.text("event") == "location" } }
        }
        let all = try ProcessFigures.residentBytes(of: daemon.program.identifier)
        let each = Double(all - one) / Double(Self.count - 1)
        #expect(each <= 100_000)
        report("\(Int(each)) bytes for each of \(Self.count) clients; \(one) with one, \(all) with all")
    }

    /// `SEXTANT_FIGURES=1` prints what was measured.
    private func report(_ text: String) {
        if ProcessInfo.processInfo.environment["SEXTANT_FIGURES"] != nil { print(text) }
    }
}
