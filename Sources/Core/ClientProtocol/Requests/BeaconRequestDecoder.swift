internal import Beacons
internal import ClientVocabulary
internal import Monitors

/// Decodes the requests about beacons, except those about beacon regions.
enum BeaconRequestDecoder {
    /// - Returns: Nil if no request about beacons has this name.
    static func kind(
        _ name: RequestName, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> ClientRequest.Kind? {
        switch name {
        case .rangeBeacons: .rangeBeacons(try RegionMembers.beacons(&request))
        case .stopRangingBeacons: .stopRangingBeacons(try RegionMembers.beacons(&request))
        case .display: .operator(.display)
        case .advertise: .operator(try advertisement(&request))
        case .stopAdvertising: .operator(.advertise(nil))
        case .knownBeacons: .operator(.knownBeacons)
        case .keepBeacon: .operator(try keeping(&request))
        case .forgetBeacon: .operator(.forgetBeacon(try identity(&request)))
        case .setBeaconGain:
            .operator(.setBeaconGain(try request.needed(.gain, in: BeaconBook.gains, "dB")))
        default: nil
        }
    }

    private static func advertisement(
        _ request: inout RequestMembers
    ) throws(ClientRequestError) -> OperatorRequest {
        .advertise(
            try identity(&request),
            measuredPower: try power(.measuredPower, &request) ?? OperatorRequest.defaultPower)
    }

    private static func keeping(_ request: inout RequestMembers) throws(ClientRequestError) -> OperatorRequest {
        let name = try request.text(.name, maximumBytes: BeaconBook.maximumNameBytes)
        if let name, name.isEmpty { throw .badValue(key: MemberKey.name.name, expected: "a text that is not empty") }
        let power = try power(.calibratedPower, &request)
        guard name != nil || power != nil else { throw .missing(key: MemberKey.name.name) }
        return .keepBeacon(try identity(&request), name: name, calibratedPower: power)
    }

    /// Decodes one beacon, which must have a UUID, a major and a minor number.
    private static func identity(_ request: inout RequestMembers) throws(ClientRequestError) -> BeaconIdentity {
        guard let beacons = try RegionMembers.beacons(&request) else { throw .missing(key: MemberKey.uuid.name) }
        guard let major = beacons.major else { throw .missing(key: MemberKey.major.name) }
        guard let minor = beacons.minor else { throw .missing(key: MemberKey.minor.name) }
        return BeaconIdentity(uuid: beacons.uuid, major: major, minor: minor)
    }

    /// Decodes the strength of a beacon's signal at 1 m, in dBm.
    private static func power(
        _ key: MemberKey, _ request: inout RequestMembers
    ) throws(ClientRequestError) -> Int8? {
        let range = Double(Beacon.possiblePower.lowerBound)...Double(Beacon.possiblePower.upperBound)
        return try request.number(key, in: range, "dBm").map { Int8($0.rounded()) }
    }
}
