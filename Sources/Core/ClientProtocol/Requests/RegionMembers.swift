internal import Beacons
internal import ClientVocabulary
public import Monitors
public import SextantJSON

/// Decodes a region's identifier and either its shape (a circle or GeoJSON coordinates) or its beacons.
enum RegionMembers {
    private typealias Position = RegionPolygon.Position

    static func identifier(_ request: inout RequestMembers) throws(ClientRequestError) -> String {
        try request.needed(.identifier, maximumBytes: ClientRequest.maximumIdentifierBytes)
    }

    /// - Returns: The shape; nil if the request has no member for a shape.
    static func shape(_ request: inout RequestMembers) throws(ClientRequestError) -> RegionShape? {
        for (key, isOne) in [(MemberKey.polygon, true), (.multiPolygon, false)] {
            guard let parts = try parts(key, isOne: isOne, of: &request) else { continue }
            do throws(RegionShapeError) {
                return .polygon(try RegionPolygon(parts: parts))
            } catch {
                throw .badValue(key: key.name, expected: "a polygon that can be one (\(error))")
            }
        }
        let circle: [MemberKey] = [.latitude, .longitude, .radius]
        guard circle.contains(where: request.contains) else { return nil }
        return .circle(
            latitude: try request.needed(.latitude, in: -90...90, "degrees"),
            longitude: try request.needed(.longitude, in: -180...180, "degrees"),
            radius: try request.needed(.radius, in: ClientRequest.distanceRange, "metres"))
    }

    /// - Returns: The UUID, major and minor number of the region's beacons; nil if the request has none of these
    ///   members.
    static func beacons(_ request: inout RequestMembers) throws(ClientRequestError) -> BeaconConstraint? {
        guard let text = try request.text(.uuid, maximumBytes: 36) else {
            guard !request.contains(.major), !request.contains(.minor) else {
                throw .missing(key: MemberKey.uuid.name)
            }
            return nil
        }
        guard let uuid = BeaconUUID(text) else {
            let example = "E2C56DB5-DFFB-48D2-B060-D0F5A71096E0"
            throw .badValue(key: MemberKey.uuid.name, expected: "a UUID, such as \"\(example)\"")
        }
        let major = try request.integer(.major, in: 0...0xFFFF).map { UInt16($0) }
        let minor = try request.integer(.minor, in: 0...0xFFFF).map { UInt16($0) }
        guard let constraint = BeaconConstraint(uuid: uuid, major: major, minor: minor) else {
            throw .missing(key: MemberKey.major.name)
        }
        return constraint
    }

    /// - Returns: The region's area or beacons; nil if the request has no members for either.
    static func condition(_ request: inout RequestMembers) throws(ClientRequestError) -> RegionCondition? {
        if let beacons = try beacons(&request) { return .beacons(beacons) }
        return try shape(&request).map { .area($0) }
    }

    /// Decodes the positions of one polygon, or of several.
    ///
    /// The JSON value is released when this function returns. It takes more memory than the positions, and a
    /// microcontroller has no room for it together with the memory that `RegionPolygon` needs for its checks.
    private static func parts(
        _ key: MemberKey, isOne: Bool, of request: inout RequestMembers
    ) throws(ClientRequestError) -> [[[Position]]]? {
        guard let value = request.take(key) else { return nil }
        let name = isOne ? "Polygon" : "MultiPolygon"
        let wrong = ClientRequestError.badValue(key: key.name, expected: "a \(name)'s coordinates as in GeoJSON")
        guard let values = isOne ? [value] : elements(value) else { throw wrong }
        return try values.map { value throws(ClientRequestError) in
            guard let rings = elements(value) else { throw wrong }
            return try rings.map { ring throws(ClientRequestError) in
                guard let positions = elements(ring) else { throw wrong }
                return try positions.map { position throws(ClientRequestError) in
                    guard let position = self.position(position) else { throw wrong }
                    return position
                }
            }
        }
    }

    private static func elements(_ value: JSONValue) -> [JSONValue]? {
        if case .array(let elements) = value { elements } else { nil }
    }

    /// Decodes a GeoJSON position: longitude, latitude, and optionally a height, which is ignored.
    private static func position(_ value: JSONValue) -> Position? {
        guard case .array(let numbers) = value, (2...3).contains(numbers.count),
            case .number(let longitude) = numbers[0],
            case .number(let latitude) = numbers[1]
        else { return nil }
        return Position(latitude: latitude, longitude: longitude)
    }
}

extension RegionRequest {
    /// Decodes a region's shape from the members that `monitorRegion` has for it; any other member is an error.
    ///
    /// - Throws: `ClientRequestError.unknownKey`, `.missing` or `.badValue`; the last also for a circle that cannot be
    ///   monitored.
    public static func shape(of members: [String: JSONValue]) throws(ClientRequestError) -> RegionShape {
        var members = RequestMembers(members)
        let shape = try RegionMembers.shape(&members)
        try members.finish()
        guard let shape else { throw .missing(key: MemberKey.latitude.name) }
        guard RegionRequest(identifier: "", shape).isPossible else {
            let expected = "above 0 and at most \(Int(ClientRequest.maximumRadius)) metres"
            throw .badValue(key: MemberKey.radius.name, expected: expected)
        }
        return shape
    }
}
