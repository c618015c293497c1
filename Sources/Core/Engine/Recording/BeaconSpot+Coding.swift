internal import Beacons
internal import Monitors
internal import SextantUnits

/// How a recording stores the spots that are marked by beacons.
///
/// Their number (2 bytes); of each its name, UUID (16), which numbers are given (1; 1: major, 2: minor, 4: the radius
/// holds far away too), major and minor (2 each), latitude, longitude and radius (8 each, IEEE 754).
extension BeaconSpot {
    static func encode(_ spots: [BeaconSpot]) -> [UInt8] {
        var record = RecordWriter()
        record.write(UInt16(clamping: spots.count))
        for spot in spots.prefix(Int(UInt16.max)) {
            record.write(spot.name)
            record.write(spot.beacon.uuid.high)
            record.write(spot.beacon.uuid.low)
            let given: UInt8 = (spot.beacon.major == nil ? 0 : 1) | (spot.beacon.minor == nil ? 0 : 2)
            record.write(given | (spot.holdsFar ? 4 : 0))
            record.write(spot.beacon.major ?? 0)
            record.write(spot.beacon.minor ?? 0)
            for number in [spot.latitude, spot.longitude, spot.radius] { record.write(number) }
        }
        return record.bytes
    }

    static func decode(_ bytes: Span<UInt8>) -> [BeaconSpot]? {
        var record = RecordReader(bytes)
        guard let count = record.integer(UInt16.self) else { return nil }
        var spots: [BeaconSpot] = []
        for _ in 0..<count {
            guard let name = record.text(), let high = record.integer(UInt64.self),
                let low = record.integer(UInt64.self), let given = record.integer(UInt8.self),
                let major = record.integer(UInt16.self), let minor = record.integer(UInt16.self),
                let latitude = record.double(), let longitude = record.double(), let radius = record.double(),
                let beacon = BeaconConstraint(
                    uuid: BeaconUUID(high: high, low: low), major: given & 1 == 0 ? nil : major,
                    minor: given & 2 == 0 ? nil : minor)
            else { return nil }
            spots.append(
                BeaconSpot(
                    name: name, beacon: beacon, latitude: latitude, longitude: longitude, radius: radius,
                    holdsFar: given & 4 != 0))
        }
        return record.isAtEnd ? spots : nil
    }
}
