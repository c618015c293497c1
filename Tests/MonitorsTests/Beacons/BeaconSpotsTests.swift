import Beacons
import SextantUnits
import Testing

@testable import Monitors

/// How long a spot is believed, and by what.
@Suite("What makes a spot believed")
struct BeaconSpotsTests {
    private static let hour = 3600.0
    private static let home = (latitude: 48.0, longitude: 11.0)

    /// A board whose only spot is home, with the spot's beacon a metre away, that somebody asks for locations.
    private struct Board {
        var spots: BeaconSpots
        var second = 0.0

        init() throws {
            let constraint = try #require(BeaconConstraint(uuid: beacon().identity.uuid))
            spots = BeaconSpots([
                BeaconSpot(
                    name: "home", beacon: constraint, latitude: home.latitude, longitude: home.longitude, radius: 15)
            ])
        }

        /// A fix so many metres north of home.
        mutating func locate(_ metres: Double = 0) {
            spots.located(
                latitude: home.latitude + metres / 111_195, longitude: home.longitude, accuracy: 5, at: seconds(second))
        }

        /// Lets seconds pass, in which the beacon is heard or not.
        mutating func run(until end: Double, isHeard: Bool = true) {
            while second < end {
                second += 10
                if isHeard { hear() }
                spots.advance(to: seconds(second), isAsked: true)
            }
        }

        private mutating func hear() {
            spots.heard(HeardBeacon(beacon: beacon(), sender: sender(), strength: -60), at: seconds(second))
        }

        mutating func sense(motion: Bool) { spots.sensed(motion: motion, at: seconds(second)) }

        var isAtHome: Bool { spots.stay(at: seconds(second)) != nil }
        var doubt: BeaconSpots.Doubt? { spots.doubted(at: seconds(second)).first?.doubt }
    }

    @Test func `a beacon alone, before any location is known, is never believed`() throws {
        var board = try Board()
        for _ in 0..<48 {
            board.run(until: board.second + 0.5 * Self.hour)
            #expect(!board.isAtHome)
        }
        #expect(board.doubt == .unconfirmed)
        board.locate()
        #expect(board.isAtHome && board.doubt == nil)
    }

    @Test func `where a fix was close by and none comes for five minutes, the beacon is believed`() throws {
        var board = try Board()
        board.locate(500)
        board.run(until: 300)
        #expect(!board.isAtHome)
        board.run(until: 320)
        #expect(board.isAtHome)
    }

    @Test func `the location that an earlier run stored counts as a fix close by`() throws {
        var board = try Board()
        board.spots.restored(
            latitude: Self.home.latitude, longitude: Self.home.longitude, accuracy: 5, at: seconds(board.second))
        board.spots.dateRestored(seconds(-Self.hour))
        board.run(until: 320)
        #expect(board.isAtHome)
        board.run(until: 26 * Self.hour)
        #expect(!board.isAtHome && board.doubt == .unconfirmed)
    }

    @Test(arguments: [nil, -47 * 3600] as [Double?])
    func `the location of an earlier run does not count where its age is not known, or is more than a day`(
        restored: Double?
    ) throws {
        // Each start of the daemon would make it fresh again.
        var board = try Board()
        board.spots.restored(
            latitude: Self.home.latitude, longitude: Self.home.longitude, accuracy: 5, at: seconds(board.second))
        if let restored { board.spots.dateRestored(seconds(restored)) }
        board.run(until: 400)
        #expect(!board.isAtHome && board.doubt == .unconfirmed)
    }

    @Test func `a board that may have moved wants a fix every hour, and one that rested once a day`() throws {
        for rests in [false, true] {
            var board = try Board()
            if rests { board.sense(motion: false) }
            board.run(until: 10)
            board.locate()
            let due = rests ? 24 * Self.hour : Self.hour
            board.run(until: due)
            #expect(board.isAtHome)
            board.run(until: due + 10)
            #expect(!board.isAtHome)
            board.locate()
            #expect(board.isAtHome)
        }
    }

    @Test func `a board that is moved after hours of rest wants a fix at once`() throws {
        var board = try Board()
        board.sense(motion: false)
        board.run(until: 10)
        board.locate()
        board.run(until: 3 * Self.hour)
        #expect(board.isAtHome)
        board.sense(motion: true)
        #expect(!board.isAtHome)
    }

    @Test func `a board without sky that may have moved is believed at home for a day, and not for ever`() throws {
        var board = try Board()
        board.run(until: 10)
        board.locate()
        board.run(until: 23 * Self.hour)
        #expect(board.isAtHome)
        for hours in 26..<72 {
            board.run(until: Double(hours) * Self.hour)
            #expect(!board.isAtHome && board.doubt == .unconfirmed)
        }
    }

    @Test func `a board without sky that rests is at home as long as it rests`() throws {
        var board = try Board()
        board.sense(motion: false)
        board.run(until: 10)
        board.locate()
        board.run(until: 100 * Self.hour)
        #expect(board.isAtHome)
    }

    @Test func `a beacon that goes and comes back does not make an unconfirmed spot believed`() throws {
        var board = try Board()
        board.run(until: 400)
        #expect(board.doubt == .unconfirmed)
        for _ in 0..<10 {
            board.run(until: board.second + 100, isHeard: false)
            board.run(until: board.second + 400)
            #expect(!board.isAtHome)
        }
    }
}
