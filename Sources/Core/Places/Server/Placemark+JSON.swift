public import SextantJSON

extension Placemark {
    /// The parts that are text, each by the name of the property.
    private static var texts: [(String, WritableKeyPath<Placemark, String?>)] {
        [
            ("name", \.name), ("thoroughfare", \.thoroughfare), ("subThoroughfare", \.subThoroughfare),
            ("locality", \.locality), ("subLocality", \.subLocality), ("administrativeArea", \.administrativeArea),
            ("subAdministrativeArea", \.subAdministrativeArea), ("postalCode", \.postalCode),
            ("isoCountryCode", \.isoCountryCode), ("country", \.country), ("inlandWater", \.inlandWater),
            ("ocean", \.ocean), ("timeZone", \.timeZone), ("near", \.near),
        ]
    }

    /// The placemark as members of an object, named as the properties of `CLPlacemark`; what is not known is left out.
    public var members: [String: JSONValue] {
        var members: [String: JSONValue] = [
            "latitude": .number(latitude), "longitude": .number(longitude), "radius": .number(radius.rounded()),
            "source": .string(source.rawValue),
        ]
        for (key, path) in Placemark.texts { if let text = self[keyPath: path] { members[key] = .string(text) } }
        if let distance { members["distance"] = .number(distance.rounded()) }
        if !areasOfInterest.isEmpty { members["areasOfInterest"] = .array(areasOfInterest.map { .string($0) }) }
        return members
    }

    /// Reads what `members` wrote; nil where it has no point on the globe.
    public init?(members: [String: JSONValue]) {
        guard let latitude = members["latitude"]?.number, let longitude = members["longitude"]?.number,
            PlaceRules.isPlace(latitude: latitude, longitude: longitude),
            let radius = members["radius"]?.number, radius >= 0,
            let source = members["source"]?.string.flatMap(Source.init(rawValue:))
        else { return nil }
        self.init(latitude: latitude, longitude: longitude, radius: radius, source: source)
        for (key, path) in Placemark.texts { self[keyPath: path] = members[key]?.string }
        distance = members["distance"]?.number
        areasOfInterest = members["areasOfInterest"]?.elements?.compactMap(\.string) ?? []
    }
}
