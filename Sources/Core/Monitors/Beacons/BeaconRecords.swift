public import Beacons
public import SextantUnits

/// The stored form of a beacon's UUID: 16 bytes, as two little-endian halves, the high half first.
extension BeaconUUID: Recorded {
    public static var blank: BeaconUUID { BeaconUUID(high: 0, low: 0) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        var (high, low) = (high, low)
        try record.code(&high)
        try record.code(&low)
        self = BeaconUUID(high: high, low: low)
    }
}

extension BeaconIdentity: Recorded {
    public static var blank: BeaconIdentity { BeaconIdentity(uuid: .blank, major: 0, minor: 0) }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try uuid.code(&record)
        try record.code(&major)
        try record.code(&minor)
    }
}
