import ClientProtocol
import Fusion
import GNSS
import Monitors
import Parts
import SextantUnits
import Testing

@testable import Monitoring

/// What is kept of regions and visits.
@Suite("Records of regions and visits")
struct RegistrationRecordTests {
    private static let circle = RegionShape.circle(latitude: 47.25, longitude: -8.5, radius: 120)

    private static func polygon() throws -> RegionShape {
        func ring(_ points: [(Double, Double)]) -> [RegionPolygon.Position] {
            points.map { RegionPolygon.Position(latitude: $0.0, longitude: $0.1) }
        }
        return .polygon(
            try RegionPolygon(parts: [
                [ring([(47, 8), (47, 9), (48, 9), (48, 8)]), ring([(47.1, 8.1), (47.2, 8.1), (47.2, 8.2)])],
                [ring([(46, 7), (46, 7.5), (46.5, 7.5)])],
            ]))
    }

    private func decode(_ bytes: some Sequence<UInt8>) -> RegionRegistration? {
        RegionRegistration.decode(Array(bytes).span)
    }

    private func watch(_ bytes: some Sequence<UInt8>) -> VisitWatch? { VisitWatch.decode(Array(bytes).span) }

    private func roundTrip(_ registration: RegionRegistration) -> RegionRegistration? {
        decode(registration.encode())
    }

    @Test func `a region reads back with all its members`() throws {
        for shape in [Self.circle, try Self.polygon()] {
            var region = RegionRegistration(RegionRequest(identifier: "a", shape))
            #expect(roundTrip(region) == region)
            region.request.notifyOnEntry = false
            region.request.dwell = 60.5
            region.request.cushion = 12
            region.request.monitor = "m"
            region.isInside = true
            region.hasDwelled = true
            region.date = UTCInstant(nanoseconds: 1_795_176_000_123_456_789)
            #expect(roundTrip(region) == region)
            region.isInside = false
            region.request.notifyOnExit = false
            #expect(roundTrip(region) == region)
        }
    }

    @Test func `a polygon across Greenwich with longitudes from 0 to 360 reads back, also from an older row`() throws {
        let corners = [(51, 350), (51, 20), (52, 20)].map { RegionPolygon.Position(latitude: $0, longitude: $1) }
        let region = RegionRegistration(RegionRequest(identifier: "a", .polygon(try RegionPolygon([corners]))))
        #expect(roundTrip(region) == region)
        // Version 0.1.0 kept 350 and 380 of it: version, bits, state, identifier, counts, then latitudes and longitudes.
        let head: [UInt8] = [2, 67, 0, 1, 0, 97, 1, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]
        let numbers: [Double] = [51, 350, 51, 380, 52, 380]
        let tail = numbers.flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number.bitPattern >> ($0 * 8)) }
        }
        #expect(decode(head + tail) == region)
    }

    @Test func `a circle of version 1 is still read`() throws {
        // Version, bits, inside, the identifier's length and text, latitude 47.25, longitude -8.5, radius 120.
        var region = RegionRegistration(RegionRequest(identifier: "a", Self.circle))
        region.isInside = true
        var record = region.encode()
        record[0] = 1
        #expect(decode(record) == region)
        // Version 1 had no dwell, no polygon and no told stay.
        for bit in [32, 64, 128] as [UInt8] {
            record[1] |= bit
            #expect(decode(record) == nil)
            record[1] &= ~bit
        }
    }

    @Test func `a truncated, overlong or newer record is refused`() throws {
        for shape in [Self.circle, try Self.polygon()] {
            var region = RegionRegistration(RegionRequest(identifier: "a", shape))
            region.request.dwell = 60
            let record = region.encode()
            for length in 0..<record.count {
                #expect(decode(record[..<length]) == nil)
            }
            #expect(decode(record + [0]) == nil)
            for version in [0, 3] as [UInt8] {
                #expect(decode([version] + record[1...]) == nil)
            }
            #expect(decode(record[..<2] + [3] + record[3...]) == nil)
        }
    }

    @Test func `a damaged record is refused or read as a valid one`() throws {
        let region = RegionRegistration(RegionRequest(identifier: "a", try Self.polygon()))
        let record = region.encode()
        for place in record.indices {
            for value in [0x00, 0x7F, 0xFF] as [UInt8] {
                var damaged = record
                damaged[place] = value
                guard let read = decode(damaged) else { continue }
                #expect(decode(read.encode()) == read)
            }
        }
    }

    @Test(
        arguments: [
            (90.1, 0, 1), (-90.1, 0, 1), (0, 180.1, 1), (0, -180.1, 1), (0, 0, -1), (0, 0, .infinity),
        ] as [(Double, Double, Double)])
    func `a circle that no place on Earth has is refused`(latitude: Double, longitude: Double, radius: Double) {
        let circle = RegionShape.circle(latitude: latitude, longitude: longitude, radius: radius)
        #expect(roundTrip(RegionRegistration(RegionRequest(identifier: "a", circle))) == nil)
    }

    // MARK: Visits

    private func clock() -> FixClock {
        var clock = FixClock()
        var fix = Fix()
        fix.isTimeValidated = true
        fix.time = UTCInstant(nanoseconds: 1_795_176_000_000_000_000)
        _ = clock.instant(of: fix, readAt: .zero)
        return clock
    }

    private func event(_ visit: UInt64, _ kind: VisitEvent.Kind, hasArrival: Bool = true) -> VisitEvent {
        let arrival = MonotonicInstant(nanoseconds: Int64(visit) * 3_600_000_000_000)
        let departure = arrival.advanced(byNanoseconds: 1_800_000_000_000)
        return VisitEvent(
            kind: kind, visit: visit, place: 3, arrival: hasArrival ? arrival : nil, since: arrival,
            departure: kind == .departure ? departure : nil, confirmed: departure, latitude: 47, longitude: 8,
            horizontalAccuracy: 30, confidence: 0.9)
    }

    @Test func `a visit is stored at arrival and again at departure, and reads back`() throws {
        var (book, restored) = (VisitBook(), VisitBook())
        let arrived = book.note(event(1, .arrival), clock: clock())
        let left = book.note(event(1, .departure), clock: clock())
        guard case .put(let name, _)? = arrived.first, case .put(name, let record)? = left.first else {
            Issue.record("\(arrived) \(left)")
            return
        }
        #expect(name == "00000000000000000001" && book.visits.count == 1)
        let isRead = restored.restore(record)
        #expect(isRead && restored.visits == book.visits)
        let visit = try #require(book.visits.first)
        #expect(visit.stay.arrival == UTCInstant(nanoseconds: 1_795_179_600_000_000_000))
        #expect(visit.stay.departure == UTCInstant(nanoseconds: 1_795_181_400_000_000_000))
        for length in 0..<record.count {
            let isDamagedRead = restored.restore(Array(record[..<length]))
            #expect(!isDamagedRead)
        }
        for damaged in [record + [0], [2] + record[1...], [1, 4] + record[2...]] {
            let isDamagedRead = restored.restore(damaged)
            #expect(!isDamagedRead)
        }
    }

    @Test(arguments: [(-33.9, 151.2), (19.9, -155.6), (-90, 180), (90, -180)] as [(Double, Double)])
    func `a visit is kept wherever on Earth it was`(latitude: Double, longitude: Double) throws {
        var event = event(1, .arrival)
        (event.latitude, event.longitude) = (latitude, longitude)
        var book = VisitBook()
        var restored = VisitBook()
        let change = try #require(book.note(event, clock: clock()).first)
        guard case .put(_, let record) = change else {
            Issue.record("\(change)")
            return
        }
        let isRead = restored.restore(record)
        #expect(isRead && restored.visits == book.visits)
    }

    @Test func `a visit may lack its arrival, and without a clock all its times`() {
        var book = VisitBook()
        _ = book.note(event(1, .departure, hasArrival: false), clock: clock())
        _ = book.note(event(2, .departure), clock: FixClock())
        #expect(book.visits.map { $0.stay.arrival == nil } == [true, true])
        #expect(book.visits.map { $0.stay.departure == nil } == [false, true])
    }

    @Test func `the newest thousand visits are kept, and all can be erased at once`() {
        var book = VisitBook()
        var removed: [VisitBook.Change] = []
        for visit in 1...1001 {
            removed += book.note(event(UInt64(visit), .arrival), clock: clock()).filter {
                if case .remove = $0 { true } else { false }
            }
        }
        #expect(removed == [.remove(name: "00000000000000000001")])
        #expect(book.visits.count == 1000 && book.visits.first?.visit == 2)
        let erased = book.erase()
        #expect(erased.count == 1000 && book.visits.isEmpty)
    }

    @Test func `a registration for visits reads back with the last reported visit`() {
        for watch in [VisitWatch(), VisitWatch(toldVisit: 7)] {
            #expect(self.watch(watch.encode()) == watch)
        }
        // Of an older daemon.
        #expect(self.watch([]) == VisitWatch())
        let record = VisitWatch(toldVisit: 7).encode()
        for length in 1..<record.count { #expect(watch(record[..<length]) == nil) }
        #expect(watch(record + [0]) == nil && watch([2] + record[1...]) == nil)
    }

    /// Lists in the order of a dictionary would let who compares two boards see what is none of his business.
    @Test func `of two registrations one comes first, also where a monitor's name is empty`() {
        let (region, condition) = (
            RegionKey(identifier: "home", monitor: nil), RegionKey(identifier: "home", monitor: "")
        )
        #expect(region < condition && !(condition < region))
    }
}
