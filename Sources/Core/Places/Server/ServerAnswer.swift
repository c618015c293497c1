internal import SextantJSON

/// Reads the answer of a geocoding server: geocodejson of Nominatim, or Photon's GeoJSON.
///
/// Both are feature collections that differ in only two member names, so one reader serves both.
public enum ServerAnswer {
    /// Why an answer is of no use.
    public enum Problem: Error, Sendable, Equatable, CustomStringConvertible {
        case tooLong
        case tooDeep
        /// The answer is not JSON, or not what Nominatim or Photon writes.
        case notUnderstood
        /// The answer is an error message of the server.
        case refused

        public var description: String {
            switch self {
            case .tooLong: "it has more than \(ServerAnswer.maximumBytes / 1024) KiB"
            case .tooDeep: "it is nested deeper than \(ServerAnswer.maximumDepth) levels"
            case .notUnderstood: "it is not what Nominatim or Photon writes"
            case .refused: "it tells an error"
            }
        }
    }

    /// The attribution that programs must show with each answer of a geocoding server.
    ///
    /// Nominatim and Photon both use OpenStreetMap's data (openstreetmap.org/copyright).
    public static let attribution = "© OpenStreetMap contributors"

    /// The largest accepted size of an answer in bytes.
    public static let maximumBytes = 256 * 1024
    /// Nominatim's error text for a point at which nothing was found.
    private static let nothingFound = "Unable to geocode"
    /// The largest accepted number of objects and arrays inside each other in an answer.
    public static let maximumDepth = 32

    /// The places in an answer, best first; empty if the server found none.
    public static func places(in bytes: [UInt8], to question: ServerQuestion) throws(Problem) -> [Placemark] {
        guard bytes.count <= maximumBytes else { throw .tooLong }
        guard depth(of: bytes) <= maximumDepth else { throw .tooDeep }
        guard let members = (try? JSONValue(parsing: bytes))?.members else { throw .notUnderstood }
        if let error = members["error"] {
            guard error == .string(nothingFound) else { throw .refused }
            return []
        }
        guard let features = members["features"] else { throw .notUnderstood }
        // For the names of a point, Nominatim's manual shows a single object in `features`, but its program writes an
        // array.
        guard let list = features.elements ?? (features.members == nil ? nil : [features]) else { throw .notUnderstood }
        return list.prefix(PlaceQuestion.maximumAnswers).compactMap { ServerFeature($0)?.placemark(for: question) }
    }

    /// The largest number of objects and arrays inside each other in a JSON text, counted without parsing it.
    static func depth(of bytes: [UInt8]) -> Int {
        var (depth, deepest, isText, isEscaped) = (0, 0, false, false)
        for byte in bytes {
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == 0x5C {
                    isEscaped = true
                } else if byte == 0x22 {
                    isText = false
                }
                continue
            }
            switch byte {
            case 0x22: isText = true
            case 0x5B, 0x7B:
                depth += 1
                deepest = max(deepest, depth)
            case 0x5D, 0x7D: depth -= 1
            default: break
            }
        }
        return deepest
    }
}

extension Placemark {
    /// The placemark with its distance from the requested point; without a distance if a name was requested.
    public func seen(from question: ServerQuestion) -> Placemark {
        var mark = self
        mark.distance = question.point.map { point in
            UnitVector(latitude: latitude, longitude: longitude).distance(
                to: UnitVector(latitude: point.latitude, longitude: point.longitude))
        }
        return mark
    }
}

struct ServerFeature {
    private let properties: [String: JSONValue]
    private let point: GeoPoint
    private let extent: [Double]

    /// Returns nil if the feature has no point on the globe.
    init?(_ value: JSONValue) {
        guard let members = value.members, let point = GeoPoint(members["geometry"]?.members?["coordinates"]) else {
            return nil
        }
        self.point = point
        let outer = members["properties"]?.members ?? [:]
        properties = outer["geocoding"]?.members ?? outer
        extent = (members["bbox"] ?? properties["extent"])?.elements?.compactMap { $0.asNumber } ?? []
    }

    private func text(_ key: String) -> String? { properties[key]?.asText }

    private var type: String { text("type") ?? "" }

    /// A part of the address, such as the city; if the object is itself a city, its name is the city's name.
    private func part(_ key: String, type kind: String) -> String? { text(key) ?? (type == kind ? text("name") : nil) }

    private func level(_ number: Int) -> String? { properties["admin"]?.members?["level\(number)"]?.asText }

    private var countryCode: String? {
        guard let code = text("country_code") ?? text("countrycode"), code.utf8.count == 2,
            code.utf8.allSatisfy({ (0x61...0x7A).contains($0 | 0x20) })
        else { return nil }
        return code.uppercased()
    }

    private var locality: String? {
        part("city", type: "city") ?? text("district") ?? level(8) ?? level(7) ?? text("locality") ?? text("county")
    }

    func placemark(for question: ServerQuestion) -> Placemark {
        var mark = Placemark(
            latitude: point.latitude, longitude: point.longitude, radius: radius, source: .server)
        mark.isoCountryCode = countryCode
        mark.country = part("country", type: "country")
        mark.administrativeArea = part("state", type: "state")
        mark.subAdministrativeArea = part("county", type: "county")
        mark.postalCode = text("postcode")
        mark.locality = isWide ? nil : locality
        mark.subLocality = [part("district", type: "district"), part("locality", type: "locality")]
            .compactMap { $0 }.first { $0 != mark.locality }
        mark.thoroughfare = part("street", type: "street")
        mark.subThoroughfare = text("housenumber")
        mark.name = text("name") ?? addressLine(of: mark) ?? mark.subLocality ?? mark.locality
        takeKind(into: &mark)
        return mark.seen(from: question)
    }

    /// Whether the object is a county, a state or a country, so that it lies in no town.
    private var isWide: Bool { type == "county" || type == "state" || type == "country" }

    private func addressLine(of mark: Placemark) -> String? {
        guard let street = mark.thoroughfare else { return nil }
        guard let number = mark.subThoroughfare else { return street }
        return StreetRules.line(street: street, number: number, country: mark.isoCountryCode)
    }

    private func takeKind(into mark: inout Placemark) {
        let category = ObjectCategory(key: text("osm_key") ?? "", value: text("osm_value") ?? "")
        guard let name = text("name") else { return }
        if category.isWater { mark.inlandWater = name }
        if category.isSea { mark.ocean = name }
        if category.isAreaOfInterest { mark.areasOfInterest = [name] }
    }

    /// The radius in metres around the object's point: half the diagonal of its box in the answer, or a default for its
    /// kind.
    private var radius: Double {
        guard type != "house", let box = boxRadius else { return typeRadius }
        return box
    }

    private var boxRadius: Double? {
        guard extent.count == 4, PlaceRules.isPlace(latitude: extent[1], longitude: extent[0]),
            PlaceRules.isPlace(latitude: extent[3], longitude: extent[2])
        else { return nil }
        let corners = [(extent[1], extent[0]), (extent[3], extent[2]), (extent[1], extent[2]), (extent[3], extent[0])]
        let farthest = corners.map { point.unit.distance(to: UnitVector(latitude: $0.0, longitude: $0.1)) }.max()
        return farthest.map { max(StreetRules.houseRadius, $0) }
    }

    private var typeRadius: Double {
        switch type {
        case "house": StreetRules.houseRadius
        case "street": 250
        case "district": 2000
        case "city": 5000
        case "county": 30_000
        case "state": 150_000
        case "country": 500_000
        default: 1000
        }
    }
}
