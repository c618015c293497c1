import Beacons
import Configuration
import Monitors
import Testing

/// The key `spots` of the configuration file.
@Suite("Spots in the configuration")
struct BeaconSpotListTests {
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    private func reading(_ spots: String, as key: String = "spots") throws -> ConfigurationReading {
        try readFile("{ device: '/dev/null', \(key): \(spots) }") { ConfigurationFile.reading(of: $0) }
    }

    @Test func `a spot has a beacon, a coordinate and a radius`() throws {
        let found = try reading(
            "[{ name: 'stable', uuid: '\(Self.uuid)', major: 1, minor: 2, latitude: 47.5, longitude: 8, radius: 15 }]")
        let spot = try #require(found.settings.spots.first)
        #expect(found.problem == nil && spot.name == "stable" && spot.radius == 15 && !spot.holdsFar)
        #expect(spot.beacon.major == 1 && spot.beacon.minor == 2)
    }

    @Test func `the key's earlier name, places, is read too`() throws {
        let spot =
            "[{ name: 'stable', uuid: '\(Self.uuid)', major: 1, minor: 2, latitude: 47.5, longitude: 8, radius: 15 }]"
        #expect(try reading(spot, as: "places").settings.spots == reading(spot).settings.spots)
        #expect(try reading("7", as: "places").problem?.description.contains("places: 7 must be") == true)
    }

    @Test(arguments: [
        ("7", "spots: 7 must be a list of at most 256 spots"),
        ("[7]", "spots[0]: 7 must be a spot"),
        ("[{ name: 'a', uuid: 'x' }]", "spots[0].uuid: \"x\" must be a UUID"),
        ("[{ name: 'a', uuid: '\(uuid)', minor: 2 }]", "spots[0].major: missing; a minor number is one of a major"),
        (
            "[{ name: 'a', uuid: '\(uuid)', major: 70000 }]",
            "spots[0].major: 70000 must be a whole number from 0 to 65535"
        ),
        ("[{ name: 'a', uuid: '\(uuid)' }]", "spots[0].latitude: missing"),
        (
            "[{ name: 'a', uuid: '\(uuid)', latitude: 1, longitude: 2, radius: 0 }]",
            "spots[0].radius: 0 must be metres from 1 to 10000"
        ),
    ]) func `what is wrong with a spot is named with its mend`(spots: String, problem: String) throws {
        let found = try #require(try reading(spots).problem)
        #expect(found.description.contains(problem), "\(found.description)")
    }
}
