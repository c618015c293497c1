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

    @Test(arguments: [true, false])
    func `a record is what its page says`(isTold: Bool) throws {
        var record = RecordWriter()
        record.write(raw: [1, 7])
        record.write(5 as UInt64)
        record.write(9 as UInt64)
        record.write(1000 as Int64)
        record.write(2 as UInt16)
        for place in [3, 8] as [UInt64] {
            record.write(place)
            for value in [47.25, 8.5, 12, 900] { record.write(value) }
            record.write(4 as UInt64)
        }
        record.write(1 as UInt8)
        for value in [47.5, 8.25, 11, 600] { record.write(value) }
        for instant in [2000, 2500, 6000, 6000] as [Int64] { record.write(instant) }
        record.write(40 as UInt32)
        record.write(isTold ? 0b1101 : 0b0101 as UInt8)
        record.write((isTold ? 4 : 0) as UInt64)
        record.write((isTold ? 8 : 0) as UInt64)
        for value in [47.5, 8.25, 30, 0.75] { record.write(isTold ? value : 0) }
        record.write(2 as UInt8)
        for (instant, latitude) in [(5000 as Int64, 47.5), (6000, 47.5)] {
            record.write(instant)
            for value in [latitude, 8.25, 6] { record.write(value) }
        }
        let restored = VisitMonitor(decoding: record.bytes.span, offset: 0)
        #expect(try #require(restored).encode(offset: 0) == record.bytes)
        // On another clock only the instants differ.
        let later = VisitMonitor(decoding: record.bytes.span, offset: -70)
        #expect(try #require(later).encode(offset: -70) == record.bytes)
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
