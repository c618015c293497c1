import BenchControl
import Foundation
import Testing

/// Fifty clients of one daemon.
///
/// `TimedManyClientsTests` measures how long they wait for each other.
@Suite("Many clients", .serialized)
struct VirtualManyClientsTests {
    private static let count = 50
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A client that gets reports at least so many seconds apart.
    private func watcher<Device>(_ daemon: DrivenDaemon<Device>, interval: Int) async throws -> Wire {
        try await daemon.watcher("\"minimumInterval\":\(interval),\"pausesAutomatically\":false,")
    }

    @Test func `each of 50 clients gets its own stream`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SyntheticDevice())
        var wires: [Wire] = []
        for interval in 1...Self.count { wires.append(try await watcher(daemon, interval: interval)) }
        var streams: [[Int]] = Array(repeating: [], count: Self.count)
        // Read now and then, because time stands still for a client whose socket is full.
        for _ in 0..<10 {
            try daemon.run(seconds: 30)
            for (index, wire) in wires.enumerated() { streams[index] += try await times(wire) }
        }
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
        return try await wire.received().with("event", "location").compactMap { $0.text("time") }.map {
            Int(try style.parse($0).timeIntervalSince1970.rounded())
        }
    }

    @Test func `each client costs the daemon at most 100 kB of memory`() async throws {
        let daemon = try await DrivenDaemon.start(in: scratch, SyntheticDevice())
        var wires = [try await watcher(daemon, interval: 1)]
        try daemon.run(seconds: 10)
        #expect(try await times(wires[0]).count >= 3)
        let one = try ProcessFigures.residentBytes(of: daemon.program.identifier)
        for interval in 2...Self.count { wires.append(try await watcher(daemon, interval: interval % 3)) }
        try daemon.run(seconds: 10)
        for wire in wires { #expect(try await times(wire).count >= 3) }
        let all = try ProcessFigures.residentBytes(of: daemon.program.identifier)
        let each = Double(all - one) / Double(Self.count - 1)
        #expect(each <= 100_000, "\(Int(each)) bytes for each; \(one) with one client, \(all) with all")
    }
}
