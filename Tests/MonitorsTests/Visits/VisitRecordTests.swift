import Monitors
import SextantUnits
import Simulation
import Testing

@Suite("Visits over a restart")
struct VisitRecordTests {
    @Test(arguments: [0.0, 90, 200, 400, 2000])
    func `VIS-10 arrival and departure are each reported once, whenever the daemon restarts`(after: Double) throws {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 10)
        let came = walk.now
        walk.stay(after)
        let isRestored = walk.restart(clockBehind: 900)
        #expect(isRestored)
        walk.stay(2400 - after)
        let left = walk.now
        walk.go(east: 4000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        let departure = try #require(walk.departures.first)
        #expect(departure.visit == walk.arrivals.first?.visit && departure.place == walk.arrivals.first?.place)
        #expect(abs(seconds(departure.arrival) - (came - 900)) <= 30)
        #expect(abs(seconds(departure.departure) - left) <= 30)
    }

    @Test func `the arrival time of a departure is converted to the clock of another boot`() throws {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 10)
        walk.stay(900)
        let isRestored = walk.restart(clockBehind: 1500)
        #expect(isRestored)
        walk.stay(900)
        walk.go(east: 4000, north: 0, speed: 10)
        let (arrival, departure) = (try #require(walk.arrivals.first), try #require(walk.departures.first))
        #expect(seconds(departure.arrival) == seconds(arrival.arrival) - 1500)
    }

    @Test func `after a restart places keep their numbers and visits continue counting`() {
        var walk = VisitWalk()
        for round in 0..<6 {
            walk.go(east: round % 2 == 0 ? 0 : 3000, north: 0, speed: 10)
            walk.stay(1200)
            let isRestored = walk.restart(clockBehind: 100)
            #expect(isRestored)
        }
        let places = walk.arrivals.map(\.place)
        #expect(places == [places[0], places[1], places[0], places[1], places[0], places[1]])
        #expect(walk.arrivals.map(\.visit) == [1, 2, 3, 4, 5, 6])
    }

    @Test func `without a clock a reported stay is kept, and its beginning is unknown`() throws {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 10)
        walk.stay(900)
        let record = walk.monitor.encode(offset: nil)
        let restored = VisitMonitor(decoding: record.span, offset: 5)
        walk.monitor = try #require(restored)
        walk.now = 60
        walk.stay(900)
        walk.go(east: 4000, north: 0, speed: 10)
        #expect(walk.events.map(\.kind) == [.arrival, .departure])
        #expect(walk.departures.first?.arrival == nil)
        #expect(walk.departures.first?.visit == walk.arrivals.first?.visit)
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `a power cut at any time loses and repeats no event`(seed: UInt64) {
        let day = VisitDay(seed: seed, regime: VisitRegime("30 s") { $0.interval = 30 })
        let end = day.truth.last?.time ?? 0
        let whole = spans(follow(day.fixes, until: end), until: end)
        var noise = SeededNumbers(seed: seed)
        for _ in 0..<20 {
            let events = followWithCuts(day.fixes, count: 12, &noise)
            let kinds = events.map(\.kind)
            #expect(zip(kinds, kinds.dropFirst()).allSatisfy { $0 != $1 })
            #expect(Set(events.filter { $0.kind == .arrival }.map(\.visit)).count == (kinds.count + 1) / 2)
            let found = spans(events, until: end)
            #expect(found.count == whole.count)
            #expect(zip(found, whole).allSatisfy { VisitScore.isRight($0, $1) })
        }
    }

    /// Saves where the monitor says so; a cut goes back to what was saved.
    private func followWithCuts(
        _ fixes: [MeasuredFix], count: Int, _ noise: inout SeededNumbers
    ) -> [VisitEvent] {
        let cuts = Set((0..<count).map { _ in noise.next(below: fixes.count) })
        var monitor = VisitMonitor()
        var record = monitor.encode(offset: 0)
        var generation = monitor.generation
        var events: [VisitEvent] = []
        for (index, fix) in fixes.enumerated() {
            if cuts.contains(index), let restored = VisitMonitor(decoding: record.span, offset: 0) {
                monitor = restored
                generation = monitor.generation
            }
            monitor.found(location(fix), into: &events)
            guard monitor.generation != generation else { continue }
            generation = monitor.generation
            record = monitor.encode(offset: 0)
        }
        return events
    }

    @Test func `a damaged or truncated record is refused`() throws {
        var walk = VisitWalk()
        walk.go(east: 2000, north: 0, speed: 10)
        walk.stay(1200)
        let record = walk.monitor.encode(offset: 0)
        let restored = VisitMonitor(decoding: record.span, offset: 0)
        #expect(restored?.encode(offset: 0) == record)
        for count in 0..<record.count {
            let part = Array(record[..<count])
            let isNone = VisitMonitor(decoding: part.span, offset: 0) == nil
            #expect(isNone)
        }
        var numbers = SeededNumbers(seed: 9)
        for _ in 0..<800 {
            var damaged = record
            damaged[numbers.next(below: record.count)] = UInt8(numbers.next(below: 256))
            // It may be read or not; what is read works.
            guard var monitor = VisitMonitor(decoding: damaged.span, offset: 0) else { continue }
            var events: [VisitEvent] = []
            for step in 0..<30 {
                let point = LocalPoint(east: 2000 + Double(step) * 40, north: 0)
                monitor.found(VisitWalk.location(point, at: walk.now + Double(step) * 5), into: &events)
            }
        }
    }
}

/// Numbers that are the same on every run.
struct SeededNumbers {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next(below bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(bound))
    }
}
