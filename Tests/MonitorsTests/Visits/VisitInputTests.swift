import AllocationCounter
import Fusion
import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Visits of fixes that are wrong")
struct VisitInputTests {
    private func stayed() -> VisitWalk {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 10)
        walk.stay(900)
        return walk
    }

    @Test(arguments: [
        (Double.nan, 8.0, 10.0), (47.0, .infinity, 10.0), (91.0, 8.0, 10.0), (47.0, 181.0, 10.0), (47.0, 8.0, .nan),
        (47.0, 8.0, 17_000.0), (47.0, 8.0, .infinity),
    ])
    func `an invalid location is ignored`(latitude: Double, longitude: Double, accuracy: Double) {
        var walk = stayed()
        let record = walk.monitor.encode(offset: 0)
        for count in 1...100 {
            let location = FusedLocation(
                instant: at(walk.now + Double(count) * 10), latitude: latitude, longitude: longitude,
                covariance: HorizontalCovariance(accuracy: accuracy))
            walk.monitor.found(location, into: &walk.events)
        }
        #expect(walk.monitor.encode(offset: 0) == record)
    }

    @Test func `a predicted location is not evidence for a visit`() {
        var walk = stayed()
        for count in 1...500 {
            var location = VisitWalk.location(
                LocalPoint(east: 2000 + Double(count) * 50, north: 0), at: walk.now + Double(count) * 5)
            location.support = .coasting
            walk.monitor.found(location, into: &walk.events)
        }
        #expect(walk.events.count == 1)
    }

    @Test func `duplicate and late fixes change nothing`() {
        var (plain, disturbed) = (VisitWalk(), VisitWalk())
        for step in 0..<2000 {
            let second = 1000 + Double(step) * 5
            let point = LocalPoint(east: step < 400 || step > 1500 ? Double(step) * 40 : 16_000, north: 0)
            let location = VisitWalk.location(point, at: second)
            plain.monitor.found(location, into: &plain.events)
            disturbed.monitor.found(location, into: &disturbed.events)
            disturbed.monitor.found(location, into: &disturbed.events)
            let late = VisitWalk.location(LocalPoint(east: point.east - 90, north: 50), at: second - 12)
            disturbed.monitor.found(late, into: &disturbed.events)
        }
        #expect(plain.events.count == 2)
        #expect(disturbed.events == plain.events)
    }

    @Test(arguments: [-900_000_000.0, 900_000_000.0, 259_200.0])
    func `a clock that jumps after the first fix loses no visit`(jump: Double) throws {
        var walk = VisitWalk()
        walk.now = 1_700_000_000 + jump
        walk.fix()
        walk.now = 1_700_000_005
        walk.go(east: 3000, north: 0, speed: 10)
        walk.stay(1800)
        walk.go(east: 6000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        #expect(abs(seconds(walk.events[0].since) - 1_700_000_305) < 30)
    }

    @Test func `wrong first fixes cause no visit`() {
        var walk = VisitWalk()
        for _ in 0..<6 {
            walk.fix(off: 40_000, 9000, accuracy: 8)
            walk.now += 5
        }
        walk.stay(1800)
        walk.wait(30_000)
        for _ in 0..<6 {
            walk.fix(off: 40_000, 9000, accuracy: 8)
            walk.now += 5
        }
        walk.stay(600)
        #expect(walk.events.map(\.kind) == [.arrival])
    }

    @Test func `a hundred thousand fixes in a second count as one`() {
        var walk = stayed()
        for count in 0..<100_000 {
            let location = VisitWalk.location(
                LocalPoint(east: 4000, north: Double(count)), at: walk.now + Double(count) * 1e-5)
            walk.monitor.found(location, into: &walk.events)
        }
        walk.now += 1
        walk.stay(600)
        #expect(walk.events.count == 1)
    }

    @Test(arguments: [(90.0, 0.0), (-90.0, 77.0), (89.9999, -180.0), (0.0, 180.0), (0.0, -180.0), (-17.0, 179.99999)])
    func `visits work at the poles and across the antimeridian`(latitude: Double, longitude: Double) throws {
        var monitor = VisitMonitor()
        var events: [VisitEvent] = []
        var noise = Noise(seed: 3)
        for step in 0..<200 {
            let east = LocalFrame.wrapped(longitude + (abs(latitude) > 89 ? 0 : noise.error(accuracy: 5) * 1e-5))
            let location = FusedLocation(
                instant: at(Double(step) * 5), latitude: latitude, longitude: east,
                covariance: HorizontalCovariance(accuracy: 10))
            monitor.found(location, into: &events)
        }
        let event = try #require(events.first)
        #expect(events.count == 1)
        #expect(abs(event.latitude - latitude) < 0.001 && abs(event.longitude) <= 180)
    }

    @Test func `processing a fix allocates nothing in the steady state`() {
        let day = VisitDay(seed: 5, regime: VisitRegime("5 s"))
        let locations = day.fixes.map(location)
        var monitor = VisitMonitor()
        var events: [VisitEvent] = []
        events.reserveCapacity(200)
        for index in 0..<2000 { monitor.found(locations[index], into: &events) }
        var fewest = UInt.max
        var start = 2000
        // Other tests run beside this one and allocate; in a few rounds of many they do not.
        while start + 3 <= locations.count {
            let before = allocation_count()
            for index in start..<(start + 3) { monitor.found(locations[index], into: &events) }
            fewest = min(fewest, allocation_count() - before)
            start += 3
        }
        #expect(fewest == 0)
    }
}
