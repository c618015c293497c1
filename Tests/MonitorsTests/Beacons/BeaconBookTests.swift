import Beacons
import Monitors
import SextantUnits
import Testing

@Suite("Beacons that have a name or were calibrated")
struct BeaconBookTests {
    private func heard(_ beacon: Beacon) -> HeardBeacon {
        HeardBeacon(beacon: beacon, sender: sender(), strength: -70)
    }

    @Test func `the power that was measured on this board goes before the one that the beacon states`() throws {
        var book = BeaconBook()
        _ = try book.keep(beacon().identity, name: nil, calibratedPower: -67)
        let calibrated = book.heard(heard(beacon(power: -59)), at: seconds(1)).beacon
        #expect(calibrated.power == -67 && calibrated.measuredPower == -59)
    }

    @Test func `the board's gain is added to what other beacons state, and not to those that were calibrated`() throws {
        var book = BeaconBook()
        book.gain = -6
        _ = try book.keep(beacon(major: 1).identity, name: nil, calibratedPower: -67)
        #expect(book.heard(heard(beacon(major: 1)), at: seconds(1)).beacon.power == -67)
        #expect(book.heard(heard(beacon(major: 2)), at: seconds(1)).beacon.power == -65)
        #expect(book.heard(heard(beacon(major: 2, power: 0)), at: seconds(1)).beacon.power == nil)
    }

    @Test func `a name is one beacon's, and stays when the beacon is calibrated`() throws {
        var book = BeaconBook()
        _ = try book.keep(beacon(major: 1).identity, name: "door", calibratedPower: nil)
        _ = try book.keep(beacon(major: 1).identity, name: nil, calibratedPower: -60)
        #expect(book[beacon(major: 1).identity]?.name == "door")
        #expect(throws: BeaconBook.Problem.nameTaken(by: beacon(major: 1).identity)) {
            _ = try book.keep(beacon(major: 2).identity, name: "door", calibratedPower: nil)
        }
    }

    @Test func `it is told when a beacon of the book was last heard, and what it stated`() throws {
        var book = BeaconBook()
        _ = try book.keep(beacon().identity, name: "door", calibratedPower: nil)
        #expect(book[beacon().identity]?.lastHeard == nil)
        _ = book.heard(heard(beacon(power: -61)), at: seconds(7))
        #expect(book[beacon().identity]?.lastHeard == seconds(7))
        #expect(book[beacon().identity]?.statedPower == -61)
    }

    @Test func `the book takes 256 beacons, and one more after one is forgotten`() throws {
        var book = BeaconBook()
        for major in 0..<UInt16(BeaconBook.maximumBeacons) {
            _ = try book.keep(beacon(major: major).identity, name: nil, calibratedPower: -60)
        }
        #expect(throws: BeaconBook.Problem.full) {
            _ = try book.keep(beacon(major: 999).identity, name: nil, calibratedPower: -60)
        }
        let wasThere = book.forget(beacon(major: 3).identity)
        #expect(wasThere)
        _ = try book.keep(beacon(major: 999).identity, name: nil, calibratedPower: -60)
    }

    @Test func `a record comes back whole, and one that is cut anywhere is refused`() throws {
        let entry = BeaconBook.Entry(beacon().identity, name: "Stalltür", calibratedPower: -71)
        let record = entry.encode()
        #expect(BeaconBook.Entry.decode(record.span) == entry)
        for count in record.indices { #expect(BeaconBook.Entry.decode(record.span.extracting(first: count)) == nil) }
    }
}

/// A region that is entered within some metres of a beacon, and not as soon as the beacon is heard.
@Suite("Regions near a beacon")
struct NearBeaconTests {
    private var monitor = BeaconMonitor()

    /// Hears the beacon once a second from so far away, and gives what happened.
    private mutating func hear(_ metres: Double?, from first: Int, to last: Int) -> [BeaconMonitor.Event.Kind] {
        var events: [BeaconMonitor.Event] = []
        for second in first..<last {
            let listened = Int64(second) * 1_000_000_000
            monitor.heard(
                beacon().identity, metres: metres, at: seconds(Double(second)), listened: listened, into: &events)
            monitor.advance(to: seconds(Double(second)), listened: listened, into: &events)
        }
        return events.map(\.kind)
    }

    private mutating func watch() throws {
        let constraint = try #require(BeaconConstraint(uuid: beacon().identity.uuid))
        _ = monitor.add(constraint, within: 2, dwell: nil, state: nil, listened: 0)
    }

    @Test mutating func `a beacon that is heard from farther away is outside`() throws {
        try watch()
        let far = hear(5, from: 0, to: 40)
        #expect(far == [.determined(isInside: false)])
        let near = hear(1.5, from: 40, to: 50)
        #expect(near == [.entered])
    }

    @Test mutating func `inside, a distance up to a quarter beyond is no exit`() throws {
        try watch()
        let near = hear(1.5, from: 0, to: 10)
        #expect(near == [.determined(isInside: true)])
        let atTheEdge = hear(2.4, from: 10, to: 100)
        #expect(atTheEdge.isEmpty)
        let beyond = hear(2.6, from: 100, to: 140)
        #expect(beyond == [.exited], "30 s after it was last near")
    }

    @Test mutating func `a beacon of unknown distance is not near`() throws {
        try watch()
        let unknown = hear(nil, from: 0, to: 40)
        #expect(unknown == [.determined(isInside: false)])
    }
}
