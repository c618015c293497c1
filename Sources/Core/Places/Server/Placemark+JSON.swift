public import SextantJSON

extension Placemark {
    /// Calls `body` for each text property of the placemark, with the property's name.
    private mutating func passTexts(_ body: (String, inout String?) -> Void) {
        body("name", &name)
        body("thoroughfare", &thoroughfare)
        body("subThoroughfare", &subThoroughfare)
        body("locality", &locality)
        body("subLocality", &subLocality)
        body("administrativeArea", &administrativeArea)
        body("subAdministrativeArea", &subAdministrativeArea)
        body("postalCode", &postalCode)
        body("isoCountryCode", &isoCountryCode)
        body("country", &country)
        body("inlandWater", &inlandWater)
        body("ocean", &ocean)
        body("timeZone", &timeZone)
        body("near", &near)
    }

    /// The placemark as members of a JSON object, named as the properties of `CLPlacemark`; parts that are not known
    /// are left out.
    public var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius.rounded()),
            "source": .string(source.rawValue),
        ]
        var copy = self
        copy.passTexts { key, text in if let text { members[key] = .string(text) } }
        if let distance { members["distance"] = .number(distance.rounded()) }
        if !areasOfInterest.isEmpty { members["areasOfInterest"] = .array(areasOfInterest.map { .string($0) }) }
        return members
    }

    /// Makes a placemark from the members of a JSON object, which are those that `members` returns; nil if they have no
    /// valid coordinates.
    public init?(members: [String: JSONValue]) {
        guard let latitude = members["latitude"]?.number, let longitude = members["longitude"]?.number,
            PlaceRules.isPlace(latitude: latitude, longitude: longitude),
            let radius = members["radius"]?.number, radius >= 0,
            let source = members["source"]?.string.flatMap(Source.init(rawValue:))
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, radius: radius, source: source)
        passTexts { key, text in text = members[key]?.string }
        distance = members["distance"]?.number
        areasOfInterest = members["areasOfInterest"]?.elements?.compactMap { $0.string } ?? []
    }
}
