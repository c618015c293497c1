internal import Beacons
public import Monitors
public import SextantUnits

/// How a flight recording stores a spot, a place that is marked by beacons.
///
/// Name, UUID (16 bytes), flags (1 byte; 1: major is given, 2: minor is given, 4: the board counts as at the spot also
/// while the beacon's proximity is far), major and minor (2 bytes each), latitude, longitude and radius (8 bytes each,
/// IEEE 754).
extension BeaconSpot: Recorded {
    public static var blank: BeaconSpot {
        BeaconSpot(name: "", beacon: BeaconIdentity.blank.constraints[0], latitude: 0, longitude: 0, radius: 0)
    }

    public mutating func code(_ record: inout RecordFields) throws(DamagedRecord) {
        try record.code(&name)
        var (uuid, major, minor) = (beacon.uuid, beacon.major ?? 0, beacon.minor ?? 0)
        try uuid.code(&record)
        var given: InlineArray<3, Bool> = [beacon.major != nil, beacon.minor != nil, holdsFar]
        try record.code(&given)
        try record.code(&major)
        try record.code(&minor)
        guard let beacon = BeaconConstraint(uuid: uuid, major: given[0] ? major : nil, minor: given[1] ? minor : nil)
        else { throw DamagedRecord() }
        self.beacon = beacon
        holdsFar = given[2]
        try record.code(&latitude)
        try record.code(&longitude)
        try record.code(&radius)
    }
}
