public import Beacons
public import SextantUnits

/// A beacon's identity in records: UUID (16 bytes, as two little-endian halves, the first one first), major and minor (2
/// each).
extension RecordWriter {
    public mutating func write(_ uuid: BeaconUUID) {
        write(uuid.high)
        write(uuid.low)
    }

    public mutating func write(_ beacon: BeaconIdentity) {
        write(beacon.uuid)
        write(beacon.major)
        write(beacon.minor)
    }
}

extension RecordReader {
    public mutating func uuid() -> BeaconUUID? {
        guard let high = integer(UInt64.self), let low = integer(UInt64.self) else { return nil }
        return BeaconUUID(high: high, low: low)
    }

    public mutating func beacon() -> BeaconIdentity? {
        guard let uuid = uuid(), let major = integer(UInt16.self), let minor = integer(UInt16.self) else { return nil }
        return BeaconIdentity(uuid: uuid, major: major, minor: minor)
    }
}
