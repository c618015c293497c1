import Beacons
import Configuration
import Foundation
import Monitors
import Testing

/// The key `places` of the configuration file.
@Suite("Places in the configuration")
struct BeaconPlaceListTests {
    private static let uuid = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"

    private func reading(_ places: String) throws -> ConfigurationReading {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-\(UUID().uuidString).json5"
        try Data("{ device: '/dev/null', places: \(places) }".utf8).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        return ConfigurationFile.reading(of: path)
    }

    @Test func `a place has a beacon, a coordinate and a radius`() throws {
        let found = try reading(
            "[{ name: 'stable', uuid: '\(Self.uuid)', major: 1, minor: 2, latitude: 47.5, longitude: 8, radius: 15 }]")
        let place = try #require(found.settings.places.first)
        #expect(found.problem == nil && place.name == "stable" && place.radius == 15 && !place.holdsFar)
        #expect(place.beacon.major == 1 && place.beacon.minor == 2)
    }

    @Test(arguments: [
        ("7", "places: 7 must be a list of at most 256 places"),
        ("[7]", "places[0]: 7 must be a place"),
        ("[{ name: 'a', uuid: 'x' }]", "places[0].uuid: \"x\" must be a UUID"),
        ("[{ name: 'a', uuid: '\(uuid)', minor: 2 }]", "places[0].major: missing; a minor number is one of a major"),
        (
            "[{ name: 'a', uuid: '\(uuid)', major: 70000 }]",
            "places[0].major: 70000 must be a whole number from 0 to 65535"
        ),
        ("[{ name: 'a', uuid: '\(uuid)' }]", "places[0].latitude: missing"),
        (
            "[{ name: 'a', uuid: '\(uuid)', latitude: 1, longitude: 2, radius: 0 }]",
            "places[0].radius: 0 must be metres from 1 to 10000"
        ),
    ]) func `what is wrong with a place is named with its mend`(places: String, problem: String) throws {
        let found = try #require(try reading(places).problem)
        #expect(found.description.contains(problem), "\(found.description)")
    }
}
