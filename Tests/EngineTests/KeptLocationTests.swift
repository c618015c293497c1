import ClientProtocol
import Parts
import Power
import Receivers
import SextantJSON
import SextantUnits
import Testing

@testable import Access
@testable import Engine

/// The last location over a restart of the daemon.
@Suite("The location of an earlier run")
struct KeptLocationTests {
    /// The time of the epoch so many seconds after noon.
    private func time(_ seconds: Int64) throws -> UTCInstant {
        let date = try #require(CivilDate(iso8601: "2026-11-20"))
        return UTCInstant(date: date, timeOfDay: 0).advanced(byNanoseconds: (43_200 + seconds) * 1_000_000_000)
    }

    /// The row that a run stores in which a client watched locations until the given second.
    private func stored(untilSecond last: Int = 310, endsCleanly: Bool = false) -> DurableRow? {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .best))
        var row: DurableRow?
        for second in 4...last {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            row = harness.keptLocation ?? row
        }
        if endsCleanly { harness.give(.stopping) }
        return harness.keptLocation ?? row
    }

    /// A new run that found the row, and whose clock is right from the given seconds after noon on.
    private func restarted(_ row: DurableRow, clock seconds: Int64?) throws -> Harness {
        var harness = Harness()
        harness.give(.storeFound(row))
        harness.give(.storeRead)
        if let seconds { harness.give(.clockTrusted(try time(seconds)), at: 5) }
        harness.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
        return harness
    }

    @Test func `is told in the greeting and as a watch's first location, with its own time and age`() throws {
        var harness = try restarted(try #require(stored()), clock: 3_910)
        #expect(harness.sent(to: 1).contains("\"time\":\"2026-11-20T12:05:"))
        harness.watch(LocationSettings(accuracy: .best))
        #expect(harness.events == ["watching", "location"])
        let line = harness.sent(to: 1)
        #expect(line.contains("\"time\":\"2026-11-20T12:05:") && line.contains("\"latitude\":47.376"), "\(line)")
        #expect(line.contains("\"age\":360"), "an hour and some seconds: \(line)")
    }

    @Test func `is told to nobody while no clock says how old it is`() throws {
        var harness = try restarted(try #require(stored()), clock: nil)
        #expect(!harness.sent(to: 1).contains("latitude"))
        harness.watch(LocationSettings(accuracy: .best))
        #expect(harness.events == ["watching"])
        harness.give(.clockTrusted(try time(400)))
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1000)))
        #expect(harness.sent(to: 2).contains("latitude"), "told once the clock is right")
    }

    @Test func `is dropped where it comes from later than now`() throws {
        let harness = try restarted(try #require(stored()), clock: 200)
        #expect(!harness.sent(to: 1).contains("latitude"))
    }

    @Test func `is stored 300 s after the first fix at the latest, and when the daemon ends`() throws {
        #expect(stored(untilSecond: 300) == nil)
        #expect(stored(untilSecond: 310) != nil)
        #expect(stored(untilSecond: 10, endsCleanly: true) != nil)
    }

    @Test func `is stored where no further fix comes, and at once when nobody is served or the receiver is gone`() {
        for reason in ["time", "client", "device"] {
            var harness = connected()
            harness.watch(LocationSettings(accuracy: .best))
            harness.give(epoch: 4)
            switch reason {
            case "time": harness.give(.timePassed, at: 304)
            case "client": harness.ask(.unwatch)
            default: harness.give(.deviceFailed(.missing, detail: "unplugged"))
            }
            #expect(harness.keptLocation != nil)
            #expect(
                harness.engine.positioning.deadline(hearsEstimates: false) == nil,
                "the daemon is not woken for it again")
        }
    }

    @Test func `is not stored once location services are switched off`() {
        var harness = connected()
        harness.watch(LocationSettings(accuracy: .best))
        harness.give(epoch: 4)
        harness.ask(.operator(.services(isEnabled: false)))
        #expect(harness.keptLocation == nil)
        harness.give(.stopping)
        #expect(harness.keptLocation == nil)
    }

    @Test func `does not answer a request for a fresh location`() throws {
        var harness = try restarted(try #require(stored()), clock: 3_910)
        harness.ask(.locateOnce(.metres(100)))
        #expect(!harness.events.contains("location"))
    }

    @Test func `is not told after fixes that were held back, which are newer`() throws {
        let deferring = LocationSettings(accuracy: .best, deferral: Deferral(distance: nil, timeout: 86_400))
        let row = try #require(stored())
        var harness = connected()
        harness.watch(deferring, label: "track")
        var held: [UInt8] = []
        for second in 4...320 {
            harness.give(bytes: Harness.epoch(second), at: Double(second))
            for case .persist(_, _, let range) in harness.outputs.actions {
                harness.outputs.text.withBytes(range) { bytes in held = bytes.indices.map { bytes[$0] } }
            }
        }
        var next = Harness()
        next.give(.storeFound(row))
        next.give(.storeRead)
        next.give(.deferredFound(held))
        next.give(.clockTrusted(try time(400)), at: 5)
        next.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
        next.watch(deferring, label: "track")
        #expect(next.events == ["watching", "location"])
    }

    @Test func `a fix of this run is never replaced by it`() throws {
        let row = try #require(stored())
        var harness = Harness()
        harness.give(.storeFound(row))
        harness.give(.storeRead)
        harness.give(.clientConnected(one, .local, PeerIdentity(userID: 1000)))
        for second in 1_000...1_003 { harness.give(bytes: Harness.epoch(second), at: Double(second)) }
        harness.give(.clockTrusted(try time(1_004)), at: 1_004)
        harness.watch(LocationSettings(accuracy: .best))
        #expect(harness.sent(to: 1).contains("\"time\":\"2026-11-20T12:16:4"))
    }

    @Test func `a client with reduced accuracy gets the old estimate, and no new one sooner than without a restart`()
        throws
    {
        var first = connected()
        first.watch(LocationSettings(accuracy: .best))
        for second in 4...310 where first.keptLocation == nil {
            first.give(bytes: Harness.epoch(second), at: Double(second))
        }
        // The estimate was told with the first fix, just after noon; the next one is due a quarter of an hour later.
        let row = first.keptLocation
        var harness = try restarted(try #require(row), clock: 700)
        harness.watch(LocationSettings(accuracy: .reduced))
        #expect(harness.events == ["watching", "location"])
        #expect(harness.sent(to: 1).contains("\"time\":\"2026-11-20T12:00:0"))
        for second in 701...899 {
            harness.give(bytes: Harness.epoch(second), at: Double(second) - 695)
            #expect(harness.events.isEmpty)
        }
        for second in 900...910 where harness.events.isEmpty {
            harness.give(bytes: Harness.epoch(second), at: Double(second) - 695)
        }
        #expect(harness.events == ["location"])
    }

    @Test func `a client with reduced accuracy that asked before a clock was right gets the old estimate then`()
        throws
    {
        var harness = try restarted(try #require(stored(untilSecond: 310)), clock: nil)
        harness.watch(LocationSettings(accuracy: .reduced))
        #expect(harness.events == ["watching"])
        harness.give(.clockTrusted(try time(400)))
        #expect(harness.events == ["location"])
        #expect(harness.sent(to: 1).contains("\"time\":\"2026-11-20T12:00:0"))
        // The next one is due a quarter of an hour after the first run's.
        harness.give(.clockTrusted(try time(401)))
        #expect(harness.events.isEmpty)
    }

    @Test func `is erased with the track`() throws {
        var harness = try restarted(try #require(stored()), clock: nil)
        harness.ask(.operator(.track(.erase)))
        harness.give(.clockTrusted(try time(400)))
        harness.give(.clientConnected(two, .local, PeerIdentity(userID: 1000)))
        #expect(!harness.sent(to: 2).contains("latitude"))
    }

    @Test func `a damaged row is removed`() {
        var harness = Harness()
        let row = DurableRow(table: .settings, client: "", name: "lastLocation", value: [1, 2, 3])
        harness.give(.storeFound(row))
        #expect(harness.deeds.contains(.store(.remove(.settings, client: "", name: "lastLocation"))))
    }
}

extension Harness {
    /// The row with the last location that the last input stored; nil where it stored none.
    fileprivate var keptLocation: DurableRow? {
        for case .store(.put(let row)) in outputs.actions where row.name == "lastLocation" { return row }
        return nil
    }
}
