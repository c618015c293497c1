import Fusion
import Monitors
import SextantUnits
import Testing

@Suite("Visits")
struct VisitMonitorTests {
    /// Comes by car from 2 km off and stays.
    private func arrived(staying seconds: Double, interval: Double = 5) -> VisitWalk {
        var walk = VisitWalk()
        walk.interval = interval
        walk.here = LocalPoint(east: -2000, north: 0)
        walk.go(east: 0, north: 0, speed: 10)
        walk.stay(seconds)
        return walk
    }

    @Test func `VIS-01 a stay of five minutes gives an arrival without a departure, with the time it began`() throws {
        let walk = arrived(staying: 330)
        let event = try #require(walk.events.first)
        #expect(walk.events.count == 1)
        #expect(event.kind == .arrival && event.departure == nil)
        #expect(abs(seconds(event.arrival) - 1200) <= 10)
        #expect(event.confirmed >= event.since.advanced(byNanoseconds: 300_000_000_000))
        let off = VisitWalk.frame.point(latitude: event.latitude, longitude: event.longitude)
        #expect(off.distance(to: LocalPoint(east: 0, north: 0)) < 10)
    }

    @Test(arguments: [1.3, 5, 12])
    func `VIS-02 leaving gives a departure with the same arrival time, place and centre`(speed: Double) throws {
        var walk = arrived(staying: 1200)
        let left = walk.now
        walk.go(east: 1500, north: 0, speed: speed)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        let (arrival, departure) = (walk.events[0], try #require(walk.events.last))
        #expect(departure.arrival == arrival.arrival && departure.visit == arrival.visit)
        #expect(departure.place == arrival.place)
        #expect(departure.latitude == arrival.latitude && departure.longitude == arrival.longitude)
        #expect(abs(seconds(departure.departure) - left) <= 20)
    }

    @Test func `VIS-03 a stay already under way has no arrival time`() throws {
        var walk = VisitWalk()
        walk.stay(900)
        walk.go(east: 1500, north: 0, speed: 10)
        let departure = try #require(walk.departures.first)
        #expect(walk.events.allSatisfy { $0.arrival == nil })
        #expect(departure.since == at(1000))
    }

    @Test(arguments: [1.0, 5, 30, 60])
    func `VIS-04 an arrival is reported within 15 minutes, and a departure within 10`(interval: Double) throws {
        var walk = arrived(staying: 3600, interval: interval)
        walk.go(east: 3000, north: 0, speed: 1.3)
        let (arrival, departure) = (try #require(walk.arrivals.first), try #require(walk.departures.first))
        #expect(seconds(arrival.confirmed) - seconds(arrival.arrival) <= 900)
        #expect(seconds(departure.confirmed) - seconds(departure.departure) <= 600)
    }

    @Test(arguments: [1.0, 5, 30, 60], [6.0, 15, 30])
    func `VIS-07 VIS-08 driving past is not a visit`(interval: Double, speed: Double) {
        var walk = VisitWalk()
        walk.interval = interval
        walk.go(east: 60_000, north: 4000, speed: speed)
        #expect(walk.events == [])
    }

    @Test(arguments: [1.0, 5, 30, 60], [15.0, 60, 120, 200])
    func `VIS-07 stopping at a traffic light or to drop somebody off is not a visit`(interval: Double, pause: Double) {
        var walk = VisitWalk()
        walk.interval = interval
        for kilometre in 1...8 {
            walk.go(east: Double(kilometre) * 1000, north: 0, speed: 12)
            walk.stay(pause)
        }
        walk.go(east: 12_000, north: 0, speed: 12)
        #expect(walk.events == [])
    }

    @Test func `a traffic jam is not a visit`() {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 12)
        for step in 1...40 {
            walk.go(east: 2000 + Double(step) * 40, north: 0, speed: 1.5)
            walk.stay(Double(step % 5) * 12)
        }
        walk.go(east: 8000, north: 0, speed: 12)
        #expect(walk.events == [])
    }

    @Test(arguments: [1.0, 5, 30])
    func `a stay of four minutes is not a visit, and one of six is`(interval: Double) {
        for (stay, count) in [(240.0, 0), (360, 2)] {
            var walk = VisitWalk()
            walk.interval = interval
            walk.go(east: 2000, north: 0, speed: 10)
            walk.stay(stay)
            walk.go(east: 5000, north: 0, speed: 10)
            #expect(walk.events.count == count)
        }
    }

    @Test(arguments: [(40.0, 6), (120.0, 6), (250.0, 6), (250.0, 1)], [1.0, 5, 30, 60])
    func `a jump of a few fixes changes nothing`(jump: (metres: Double, count: Int), interval: Double) {
        var walk = arrived(staying: 1200, interval: interval)
        for _ in 0..<jump.count {
            walk.fix(off: jump.metres, 0, accuracy: 5)
            walk.now += interval
        }
        walk.stay(1800)
        #expect(walk.events.count == 1)
    }

    @Test func `one fix in another town changes nothing`() {
        var walk = arrived(staying: 1200)
        walk.fix(off: 300_000, 0, accuracy: 3)
        walk.now += 5
        walk.stay(600)
        #expect(walk.events.count == 1)
    }

    @Test func `a position drift of five minutes is not a departure`() {
        var walk = arrived(staying: 1200)
        for _ in 0..<60 {
            walk.fix(off: 70, 60, accuracy: 20)
            walk.now += 5
        }
        walk.stay(1800)
        #expect(walk.events.count == 1)
    }

    @Test(arguments: [80.0, 100, 180])
    func `a neighbouring place is a place of its own`(metres: Double) {
        var walk = arrived(staying: 3600)
        walk.go(east: metres, north: 0, speed: 1.4)
        walk.stay(1800)
        walk.go(east: 0, north: 0, speed: 1.4)
        walk.stay(1800)
        #expect(walk.arrivals.count == 3 && walk.departures.count == 2)
        let places = walk.arrivals.map(\.place)
        #expect(places[0] == places[2] && places[0] != places[1])
    }

    @Test func `the same place is recognised on another day`() throws {
        var walk = arrived(staying: 3600)
        walk.go(east: 5000, north: 0, speed: 10)
        walk.stay(30_000)
        walk.go(east: 0, north: 0, speed: 10)
        walk.stay(40_000)
        let places = walk.arrivals.map(\.place)
        #expect(places.count == 3 && places[0] == places[2] && places[0] != places[1])
        #expect(Set(walk.arrivals.map(\.visit)).count == 3)
    }

    @Test func `VIS-08 hours of walking about a site are one visit`() {
        var walk = VisitWalk()
        walk.go(east: 3000, north: 0, speed: 10)
        for step in 0..<150 {
            let (east, north) = ((step * 67) % 200 - 100, (step * 131) % 200 - 100)
            walk.go(east: 3000 + Double(east), north: Double(north), speed: 0.9)
            walk.stay(Double(step % 7) * 10)
        }
        walk.go(east: 6000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
    }

    @Test func `a stay whose fixes are lost at the door is reported when they return`() throws {
        var walk = arrived(staying: 0)
        walk.now += 7200
        let left = walk.now
        walk.go(east: 2000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        let departure = try #require(walk.departures.first)
        #expect(abs(seconds(departure.arrival) - 1200) <= 20)
        #expect(abs(seconds(departure.departure) - left) <= 20)
    }

    @Test func `a stay without further fixes is reported by a timer`() throws {
        var walk = arrived(staying: 60)
        let deadline = try #require(walk.monitor.deadline)
        walk.monitor.advance(to: deadline.advanced(byNanoseconds: -1), into: &walk.events)
        #expect(walk.events == [])
        walk.monitor.advance(to: deadline, into: &walk.events)
        let arrival = try #require(walk.events.first)
        #expect(arrival.confirmed == deadline)
        #expect(seconds(deadline) - seconds(arrival.arrival) <= 900)
        #expect(walk.monitor.deadline == nil)
    }

    @Test func `driving through a tunnel is not a visit`() {
        var walk = VisitWalk()
        walk.go(east: 4000, north: 0, speed: 15)
        walk.wait(400)
        walk.here.east += 6000
        walk.go(east: 16_000, north: 0, speed: 15)
        #expect(walk.events == [])
    }

    @Test func `one fix an hour continues a stay, and an accelerometer determines when it ended`() throws {
        var walk = arrived(staying: 120)
        for _ in 0..<8 {
            walk.wait(3600)
            walk.fix()
        }
        walk.wait(1000)
        let left = walk.now
        walk.monitor.sensed(motion: true, at: at(left))
        walk.now += 40
        walk.here.east += 300
        walk.go(east: 3000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        #expect(walk.departures.first?.departure == at(left))
    }

    @Test func `an accelerometer at rest overrules a receiver that reports a move`() {
        var walk = arrived(staying: 600)
        walk.monitor.sensed(motion: false, at: at(walk.now))
        for _ in 0..<400 {
            walk.fix(off: 150, 0, accuracy: 10)
            walk.now += 5
        }
        walk.stay(600)
        #expect(walk.events.count == 1)
    }

    @Test func `the number of known places is bounded, and places not visited lately are forgotten`() {
        var walk = VisitWalk()
        walk.interval = 30
        for number in 1...260 {
            walk.go(east: Double(number) * 700, north: 0, speed: 20)
            walk.stay(600)
        }
        walk.go(east: 260 * 700 + 2000, north: 0, speed: 20)
        #expect(Set(walk.arrivals.map(\.place)).count == 260)
        #expect(walk.monitor.encode(offset: 0).count < 16_500)
    }
}
