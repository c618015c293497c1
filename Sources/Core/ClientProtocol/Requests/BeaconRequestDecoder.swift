internal import Beacons
internal import ClientVocabulary

/// Decodes the requests about beacons other than those for regions.
enum BeaconRequestDecoder {
    /// - Returns: Nil where the name is not one of these requests.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .rangeBeacons: .rangeBeacons(try RegionMembers.beacons(&request))
        case .stopRangingBeacons: .stopRangingBeacons(try RegionMembers.beacons(&request))
        case .display: .operator(.display)
        case .advertise: .operator(try advertisement(&request))
        case .stopAdvertising: .operator(.advertise(nil))
        default: nil
        }
    }

    private static func advertisement(
        _ request: inout RequestMembers
    ) throws(ClientRequestError) -> OperatorRequest {
        guard let beacons = try RegionMembers.beacons(&request) else { throw .missing(key: MemberKey.uuid.name) }
        guard let major = beacons.major else { throw .missing(key: MemberKey.major.name) }
        guard let minor = beacons.minor else { throw .missing(key: MemberKey.minor.name) }
        let range = Double(Beacon.possiblePower.lowerBound)...Double(Beacon.possiblePower.upperBound)
        let power = try request.number(.measuredPower, in: range, "dBm")
        return .advertise(
            BeaconIdentity(uuid: beacons.uuid, major: major, minor: minor),
            measuredPower: power.map { Int8($0.rounded()) } ?? OperatorRequest.defaultPower)
    }
}
