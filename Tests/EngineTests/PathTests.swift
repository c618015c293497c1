import ClientProtocol
import Engine
import Monitors
import NMEA0183
import Parts
import SextantJSON
import SextantUnits
import Testing

@testable import Access

/// What becomes of the fixes beside what clients are sent at once: visits, the track, and what of them is kept.
@Suite("Storage of visits and the track")
struct EnginePathTests {
    private let client = ClientID(rawValue: 1)

    private func harness() -> Harness {
        var harness = Harness()
        harness.give(.clientConnected(client, .local, PeerIdentity(userID: 0)))
        return harness
    }

    /// A fix each 10 s at one place, so many minutes; what is to be done for them beside texts.
    private func rest(_ harness: inout Harness, minutes: Int, from start: Int = 0) -> [Action] {
        var deeds: [Action] = []
        for second in stride(from: start, to: start + minutes * 60, by: 10) {
            let time = "\(12 + second / 3600)\(two(second / 60 % 60))\(two(second % 60)).00"
            var bytes: [UInt8] = []
            NMEAEncoder.append("GNRMC,\(time),A,4722.61335,N,00832.50181,E,0.0,0.0,201126,,,A", to: &bytes)
            NMEAEncoder.append("GNGGA,\(time),4722.61335,N,00832.50181,E,1,12,0.56,409.0,M,47.0,M,,", to: &bytes)
            harness.give(bytes: bytes, at: Double(second))
            deeds += harness.deeds
            while let wake = harness.wake, wake < Int64(second + 10) * 1_000_000_000 {
                harness.give(.timePassed, at: Double(wake) * 1e-9)
                deeds += harness.deeds
            }
        }
        return deeds
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    private func stored(_ deeds: [Action]) -> [DurableTable] {
        deeds.compactMap { if case .store(.put(let row)) = $0 { row.table } else { nil } }
    }

    private func isTracked(_ deeds: [Action]) -> Bool {
        deeds.contains { if case .keepTrack = $0 { true } else { false } }
    }

    @Test func `while a client is served the board's visits and track are stored`() {
        var harness = harness()
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        let deeds = rest(&harness, minutes: 30)
        #expect(stored(deeds).contains(.visits) && isTracked(deeds))
    }

    @Test func `without requests or with services off no visit and no track is stored`() {
        var unasked = harness()
        let unaskedDeeds = rest(&unasked, minutes: 30)
        #expect(stored(unaskedDeeds).isEmpty && !isTracked(unaskedDeeds))
        var off = harness()
        off.give(ClientRequest(.watch(satellites: false)), from: client)
        off.give(ClientRequest(.operator(.services(isEnabled: false))), from: client)
        let deeds = rest(&off, minutes: 30)
        #expect(!stored(deeds).contains(.visits) && !isTracked(deeds))
    }

    @Test func `at a stop the waiting track, the last location and the estimator's state are stored`() {
        var harness = harness()
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        _ = rest(&harness, minutes: 1)
        harness.give(.stopping)
        #expect(isTracked(harness.deeds) && stored(harness.deeds) == [.settings, .settings])
        for case .store(.put(let row)) in harness.deeds {
            var next = Harness()
            next.give(.storeFound(row))
            #expect(next.deeds.isEmpty, "it is read again")
        }
    }

    /// What is kept of how far the visits have come, at the end of a rest.
    private func visitMonitor(minutes: Int) -> DurableRow? {
        var harness = harness()
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        let rows: [DurableRow] = rest(&harness, minutes: minutes).compactMap { deed in
            guard case .store(.put(let row)) = deed, row.name == "visitMonitor" else { return nil }
            return row
        }
        return rows.last
    }

    @Test func `erased visits do not come back when the time becomes known`() throws {
        var harness = harness()
        harness.give(.storeFound(try #require(visitMonitor(minutes: 20))))
        harness.give(.storeRead)
        harness.give(ClientRequest(.operator(.visits(.erase))), from: client)
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        let deeds = rest(&harness, minutes: 30, from: 3600)
        #expect(stored(deeds).contains(.visits), "it is a stay of its own")
    }

    @Test func `a stay goes on after a restart, and an unreadable record of it is removed`() throws {
        let row = try #require(visitMonitor(minutes: 20))
        var harness = harness()
        harness.give(.storeFound(row))
        harness.give(.storeRead)
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        let deeds = rest(&harness, minutes: 30, from: 3600)
        #expect(!stored(deeds).contains(.visits), "it was told of before")
        var broken = self.harness()
        broken.give(
            .storeFound(DurableRow(table: row.table, client: row.client, name: row.name, value: [1, 2, 3])))
        broken.give(ClientRequest(.watch(satellites: false)), from: client)
        #expect(
            rest(&broken, minutes: 1).contains(
                .store(.remove(.settings, client: "", name: "visitMonitor"))))
    }

    @Test func `while services are off no timer reports or stores a visit`() {
        var harness = harness()
        harness.give(ClientRequest(.watch(satellites: false)), from: client)
        _ = rest(&harness, minutes: 4)
        harness.give(ClientRequest(.operator(.services(isEnabled: false))), from: client)
        var deeds: [Action] = []
        while let wake = harness.wake, wake < 3600 * 1_000_000_000 {
            harness.give(.timePassed, at: Double(wake) * 1e-9)
            deeds += harness.deeds
        }
        #expect(!stored(deeds).contains(.visits) && !stored(deeds).contains(.settings))
    }
}
