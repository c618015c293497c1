internal import Beacons
internal import Monitors
internal import SextantJSON

/// Reads `spots`: places that the owner marked with beacons; near them the board needs no GNSS receiver.
///
/// | key | value | what |
/// |---|---|---|
/// | `name` | a text | the spot's name in the log and in `status` |
/// | `uuid`, `major`, `minor` | a UUID; 0 to 65535 | the beacon; `minor` only with `major` |
/// | `latitude`, `longitude` | degrees | where the beacon is |
/// | `radius` | metres, 1 to 10000 | the board is surely within this distance of the spot while it is near the beacon |
/// | `far` | true or false (false) | whether the radius also holds while the beacon's proximity is "far" |
enum BeaconSpotList {
    static func take(
        _ key: String, from file: inout ConfigurationSection
    ) throws(ConfigurationError) -> [BeaconSpot] {
        guard let value = file.take(key) else { return [] }
        guard case .array(let elements) = value, elements.count <= maximum else {
            throw file.wrong(key, value, expected: "a list of at most \(maximum) spots, such as [\(example)]")
        }
        var spots: [BeaconSpot] = []
        for (number, element) in elements.enumerated() {
            guard case .object(let members) = element else {
                throw file.wrong("\(key)[\(number)]", element, expected: "a spot, such as \(example)")
            }
            var section = file.section("\(key)[\(number)]", members)
            spots.append(try spot(from: &section))
        }
        return spots
    }

    private static let maximum = 256
    private static let example =
        "{ name: \"stable\", uuid: \"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\", major: 1, minor: 2, latitude: 47.38, "
        + "longitude: 8.54, radius: 15 }"

    private static func spot(from section: inout ConfigurationSection) throws(ConfigurationError) -> BeaconSpot {
        guard let name = try section.takeString("name"), !name.isEmpty else {
            throw section.missing("name", "give the spot a name")
        }
        let beacon = try beacon(from: &section)
        let latitude = try needed("latitude", in: -90...90, "degrees", &section)
        let longitude = try needed("longitude", in: -180...180, "degrees", &section)
        let radius = try needed("radius", in: BeaconSpot.radii, "metres", &section)
        let holdsFar = try section.takeBool("far") ?? false
        try section.finish()
        return BeaconSpot(
            name: name, beacon: beacon, latitude: latitude, longitude: longitude, radius: radius, holdsFar: holdsFar)
    }

    private static func needed(
        _ key: String, in range: ClosedRange<Double>, _ unit: String, _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> Double {
        guard let number = try section.takeNumber(key, in: range, unit) else {
            throw section.missing(key, "a spot needs its beacon, latitude, longitude and radius")
        }
        return number
    }

    private static func beacon(
        from section: inout ConfigurationSection
    ) throws(ConfigurationError) -> BeaconConstraint {
        guard let text = try section.takeString("uuid") else {
            throw section.missing("uuid", "name the beacon; sextant beacons watch shows those that are near")
        }
        guard let uuid = BeaconUUID(text) else {
            throw section.wrong(
                "uuid", .string(text), expected: "a UUID, such as \"E2C56DB5-DFFB-48D2-B060-D0F5A71096E0\"")
        }
        let major = try number("major", &section)
        let minor = try number("minor", &section)
        guard let beacon = BeaconConstraint(uuid: uuid, major: major, minor: minor) else {
            throw section.missing("major", "a minor number is one of a major number's")
        }
        return beacon
    }

    private static func number(
        _ key: String, _ section: inout ConfigurationSection
    ) throws(ConfigurationError) -> UInt16? {
        guard let value = section.take(key) else { return nil }
        guard case .number(let number) = value, let integer = UInt16(exactly: number) else {
            throw section.wrong(key, value, expected: "a whole number from 0 to 65535")
        }
        return integer
    }
}
