import ClientProtocol
import Engine
import Monitors
import Parts
import Testing

@testable import Access

/// What is kept for a client that is away.
@Suite("Region events of clients that are away")
struct RegionEventTests {
    private static let client = ClientID(rawValue: 1)

    /// What is kept of the events of a region in which the board is, of a client that left.
    private func kept(dwell: Double?, notifyOnEntry: Bool) -> Int {
        var harness = Harness()
        harness.give(.clientConnected(Self.client, .local, PeerIdentity(userID: 1000)))
        let region = RegionRequest(
            identifier: "yard", .circle(latitude: 47.376889, longitude: 8.541697, radius: 200),
            notifyOnEntry: notifyOnEntry, dwell: dwell)
        harness.give(ClientRequest(.monitoring(.region(region))), from: Self.client)
        harness.give(.clientGone(Self.client))
        var count = 0
        for second in 0..<60 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            count += harness.deeds.count {
                if case .store(.put(let row)) = $0 { row.table == .events } else { false }
            }
        }
        return count
    }

    @Test func `a dwell event comes with and without notification on entry`() {
        #expect(kept(dwell: 20, notifyOnEntry: true) == 1)
        #expect(kept(dwell: 20, notifyOnEntry: false) == 1)
        #expect(kept(dwell: nil, notifyOnEntry: true) == 0)
    }

    @Test func `a dwell time goes on over a restart, counted from the entry`() throws {
        var first = Harness()
        let region = RegionRequest(
            identifier: "yard", .circle(latitude: 47.376889, longitude: 8.541697, radius: 200),
            notifyOnEntry: true, dwell: 600)
        first.give(.clientConnected(Self.client, .local, PeerIdentity(userID: 1000)))
        first.give(ClientRequest(.monitoring(.region(region))), from: Self.client)
        var kept: DurableRow?
        for second in 0..<60 {
            first.give(bytes: Harness.epoch(second), at: Double(second))
            for case .store(.put(let row)) in first.deeds where row.table == .registrations { kept = row }
        }
        var second = Harness()
        second.give(.storeFound(try #require(kept)))
        second.give(.storeRead)
        var dwelledAt: Int?
        for uptime in 0..<700 where dwelledAt == nil {
            second.give(bytes: Harness.epoch(300 + uptime), at: Double(uptime))
            for case .store(.put(let row)) in second.deeds where row.table == .events { dwelledAt = 300 + uptime }
        }
        #expect((595...625).contains(dwelledAt ?? 0))
    }
}
