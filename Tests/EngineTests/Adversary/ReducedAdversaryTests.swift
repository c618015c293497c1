import ClientProtocol
import Emulation
import Foundation
import SextantUnits
import Testing

@testable import Engine

/// A client with reduced accuracy asks for whatever the protocols know, while the board moves.
///
/// Two boards pass through the same cells at the same times. Within a cell one rests, and the other does not: it roams,
/// and passes a beacon that another client watches. What the client is sent on its two connections, and when, must be the
/// same to the byte: then it holds nothing but the cells and their times.
@Suite("A client with reduced accuracy that wants to know more")
struct ReducedAdversaryTests {
    /// Days of movement: one, and as many as are asked for by hand; a year takes half an hour.
    private static let asked = ProcessInfo.processInfo.environment["SEXTANT_ADVERSARY_DAYS"].flatMap { Int($0) }
    private static let days = asked ?? 1
    /// Requests in all: 10,000 in the long run.
    private static let requestCount = asked == nil ? 2500 : 10_000

    @Test func `learns the cells and when they change, and nothing of the way within a cell`() throws {
        var resting = try AdversaryBench(roams: false)
        var roaming = try AdversaryBench(roams: true)
        var chance = SplitMix64(seed: 20_261_124)
        var next = Crossing(minute: 60, direction: 1)
        var crossingCount = 1
        var heard = Heard()
        let minutes = Self.days * 1440
        for minute in 0..<minutes {
            if minute > next.minute + 1 {
                next = Crossing(after: minute, &chance)
                crossingCount += 1
            }
            if minute % 1440 == 700 { try restart(&resting, &roaming) }
            let count = Int(Double(Self.requestCount) / Double(minutes) + chance.nextUnit())
            let asked = (0..<count).map { _ in AdversaryRequests.random(&chance) }
            let told = (resting.live(minute, next, asked), roaming.live(minute, next, asked))
            try #require(told.0 == told.1, "minute \(minute)")
            heard.note(told.0)
        }
        #expect(resting.metresMoved * 1.5 < roaming.metresMoved, "the boards move differently")
        #expect(resting.heardCount != roaming.heardCount, "one board passes the beacon, and the witness is told")
        #expect(heard.kinds["location", default: 0] > Self.days * 70, "\(heard.kinds)")
        #expect(heard.kinds["visit", default: 0] > 1, "\(heard.kinds)")
        #expect(heard.kinds["regionEvent"] == nil && heard.kinds["beacons"] == nil, "\(heard.kinds)")
        #expect(heard.latitudes.count > 1, "\(heard.latitudes)")
        if Self.asked != nil { report(heard, crossingCount) }
    }

    private func restart(_ resting: inout AdversaryBench, _ roaming: inout AdversaryBench) throws {
        try resting.restart()
        try roaming.restart()
    }

    /// Says how much the client could learn at most: both boards told it the same, so it has no more than their common
    /// way from cell to cell, each step of which was drawn from 271 minutes and two directions.
    private func report(_ heard: Heard, _ crossingCount: Int) {
        let bits = Double(crossingCount) * (log2(271) + 1)
        let shown = String(format: "%.0f", bits)
        print(
            "adversary: \(Self.days) days, \(heard.lineCount) lines, \(crossingCount) cells: \(shown) bits, none of the way"
        )
        print(
            "adversary: \(heard.kinds.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))"
        )
    }
}

/// What the client was told, counted.
private struct Heard {
    var kinds: [String: Int] = [:]
    var latitudes: Set<String> = []
    var lineCount = 0

    mutating func note(_ lines: [String]) {
        lineCount += lines.count
        for line in lines {
            if let start = line.firstRange(of: "\"event\":\"") ?? line.firstRange(of: "\"class\":\"") {
                kinds[String(line[start.upperBound...].prefix { $0 != "\"" }), default: 0] += 1
            }
            // A region that the client registered has a latitude too.
            if line.contains("\"event\":\"location\""), let start = line.firstRange(of: "\"latitude\":") {
                latitudes.insert(String(line[start.upperBound...].prefix { $0 != "," }))
            }
        }
    }
}
