import Fusion
import Monitors
import SextantUnits
import Testing

@Suite("Track follower")
struct TrackFollowerTests {
    private static func at(_ seconds: Double) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: 1_000_000_000_000 + Int64(seconds * 1e9))
    }

    /// A fix so many metres north of a place.
    private static func fix(north metres: Double) -> FilterFix {
        let place = LocalFrame(latitude: 47, longitude: 8).coordinate(of: LocalPoint(east: 0, north: metres))
        return FilterFix(latitude: place.latitude, longitude: place.longitude, horizontalAccuracy: 4)
    }

    /// Walks north at 1.4 m/s for some seconds, then stands.
    private static func follow(
        _ track: inout TrackFollower, walking: Int, standing: Int, from begin: Int = 0
    ) -> [TrackEvent] {
        var events: [TrackEvent] = []
        for second in begin..<(begin + walking + standing) {
            let metres = 1.4 * Double(min(second - begin, walking))
            track.found(fix(north: metres), at: at(Double(second)), into: &events)
        }
        return events
    }

    private static func regions(_ events: [TrackEvent]) -> [RegionEvent] {
        events.compactMap { if case .region(let event) = $0 { event } else { nil } }
    }

    @Test func `each fix gives its location first, then the events it causes`() throws {
        var track = TrackFollower()
        track.startSignificantChanges(at: Self.at(0))
        _ = track.path.regions.add(MonitoredRegion(try RegionShape(latitude: 47.0027, longitude: 8, radius: 100)))
        let events = Self.follow(&track, walking: 260, standing: 0)
        guard case .location(let first) = events.first else {
            Issue.record("\(events.first as Any)")
            return
        }
        #expect(first.instant == Self.at(0))
        let changes = events.filter { if case .significantChange = $0 { true } else { false } }
        #expect(changes.count == 1)
        let kinds = Self.regions(events).map(\.kind)
        #expect(kinds == [.determined(isInside: false), .entered])
        let entry = try #require(
            events.firstIndex { if case .region(let event) = $0 { event.kind == .entered } else { false } })
        guard case .location(let before) = events[entry - 1], case .region(let entered) = events[entry] else {
            Issue.record("\(events[entry - 1])")
            return
        }
        #expect(before.instant == entered.confirmed && entered.crossing <= entered.confirmed)
    }

    @Test func `a dwell is reported with its own time, before the next fix`() throws {
        var track = TrackFollower()
        let shape = try RegionShape(latitude: 47.0027, longitude: 8, radius: 100)
        _ = track.path.regions.add(MonitoredRegion(shape, dwell: 120))
        var events = Self.follow(&track, walking: 215, standing: 10)
        let entered = try #require(Self.regions(events).last { $0.kind == .entered })
        let due = try #require(track.deadline)
        #expect(due.nanoseconds(since: entered.crossing) == 120_000_000_000)
        events.removeAll()
        let late = Self.at(600)
        track.found(Self.fix(north: 301), at: late, into: &events)
        guard case .region(let dwelled) = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(dwelled.kind == .dwelled && dwelled.confirmed == due && dwelled.crossing == due)
        #expect(events.dropFirst().first.map { if case .location = $0 { true } else { false } } == true)
        #expect(track.deadline == nil)
    }

    @Test func `a significant change waits for five minutes, and is reported with its measurement time`() {
        var track = TrackFollower()
        track.startSignificantChanges(at: Self.at(0))
        var events: [TrackEvent] = []
        track.found(Self.fix(north: 0), at: Self.at(0), into: &events)
        for second in 1...200 {
            track.found(Self.fix(north: 10 * Double(second)), at: Self.at(Double(second)), into: &events)
        }
        #expect(track.deadline == Self.at(300))
        events.removeAll()
        track.advance(to: Self.at(400), into: &events)
        guard case .significantChange(let place, let measured, let confirmed) = events.first, events.count == 1 else {
            Issue.record("\(events)")
            return
        }
        #expect(measured == Self.at(200) && confirmed == Self.at(300) && place.latitude > 47.017)
    }

    @Test func `a visit is reported once it has lasted long enough`() {
        var track = TrackFollower()
        let events =
            Self.follow(&track, walking: 300, standing: 600)
            + Self.follow(&track, walking: 0, standing: 0)
        let visits = events.compactMap { if case .visit(let event) = $0 { event } else { nil } }
        #expect(visits.map(\.kind) == [.arrival])
        let arrival = visits.first?.arrival
        #expect(arrival.map { abs($0.nanoseconds(since: Self.at(300))) < 60_000_000_000 } == true)
    }

    @Test func `an invalid fix is skipped and counted, and time does not go back`() {
        var track = TrackFollower()
        var events: [TrackEvent] = []
        track.found(Self.fix(north: 0), at: Self.at(10), into: &events)
        let count = events.count
        let nowhere = track.found(
            FilterFix(latitude: .nan, longitude: 8), at: Self.at(11), into: &events)
        let early = track.found(Self.fix(north: 5), at: Self.at(-3600), into: &events)
        #expect(nowhere == nil && early == nil && events.count == count)
        #expect(track.path.filter.counters[.notANumber] == 1 && track.path.filter.counters[.stale] == 1)
    }
}
