internal import SextantJSON

/// A point in degrees north and east.
struct GeoPoint: Sendable, Hashable {
    var latitude: Double
    var longitude: Double

    /// Reads a GeoJSON position, which has the longitude first; nil where the coordinates are out of range.
    init?(_ value: JSONValue?) {
        guard let numbers = value?.elements, numbers.count >= 2, let longitude = numbers[0].asNumber,
            let latitude = numbers[1].asNumber, PlaceRules.isPlace(latitude: latitude, longitude: longitude)
        else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }

    var latitudeE7: Int32 { Int32((latitude * 10_000_000).rounded()) }
    var longitudeE7: Int32 { Int32((longitude * 10_000_000).rounded()) }
    var unit: UnitVector { UnitVector(latitude: latitude, longitude: longitude) }

    func lower(_ other: GeoPoint) -> GeoPoint {
        GeoPoint(latitude: min(latitude, other.latitude), longitude: min(longitude, other.longitude))
    }

    func upper(_ other: GeoPoint) -> GeoPoint {
        GeoPoint(latitude: max(latitude, other.latitude), longitude: max(longitude, other.longitude))
    }
}

/// A geometry of GeoJSON.
///
/// Source: RFC 7946, section 3.1.
struct Geometry {
    /// The geometry's lines, or the rings of its areas; a point is stored as one line of one point.
    var lines: [[GeoPoint]] = []
    /// Whether the lines are rings that enclose areas.
    var isArea = false

    /// Returns nil for a missing geometry, an unknown type, and a geometry without a valid point.
    init?(_ value: JSONValue?) {
        guard let members = value?.members, let type = members["type"]?.asText,
            let coordinates = members["coordinates"]
        else { return nil }
        switch type {
        case "Point": lines = GeoPoint(coordinates).map { [[$0]] } ?? []
        case "LineString": lines = [Geometry.points(coordinates)]
        case "MultiLineString", "Polygon": lines = coordinates.elements?.map(Geometry.points) ?? []
        case "MultiPolygon": lines = coordinates.elements?.flatMap { $0.elements?.map(Geometry.points) ?? [] } ?? []
        default: return nil
        }
        isArea = type == "Polygon" || type == "MultiPolygon"
        lines = lines.filter { !$0.isEmpty }
        if lines.isEmpty { return nil }
    }

    private static func points(_ value: JSONValue) -> [GeoPoint] { value.elements?.compactMap { GeoPoint($0) } ?? [] }

    /// The middle of the box around all points; a closed way has the same middle as the area that it bounds.
    var middle: GeoPoint {
        let points = lines.joined()
        guard let first = points.first else { return GeoPoint(latitude: 0, longitude: 0) }
        let (low, high) = (points.reduce(first) { $0.lower($1) }, points.reduce(first) { $0.upper($1) })
        return GeoPoint(
            latitude: (low.latitude + high.latitude) / 2, longitude: (low.longitude + high.longitude) / 2)
    }

    /// The largest number of points made for one geometry: enough for 500 km of street, but too few for invalid data to
    /// fill the memory.
    static let maximumPoints = 10_000

    /// Points along the lines, at most `metres` apart; a bend that is less than `metres` from the point before it is
    /// cut off.
    func points(every metres: Double) -> [GeoPoint] {
        var found: [GeoPoint] = []
        for line in lines where found.count < Geometry.maximumPoints {
            var last = line[0]
            found.append(last)
            for (index, next) in line.enumerated().dropFirst() where found.count < Geometry.maximumPoints {
                let distance = last.unit.distance(to: next.unit)
                guard distance >= metres || index == line.count - 1 else { continue }
                let count = min((distance / metres).rounded(.up), Double(Geometry.maximumPoints - found.count))
                found += Geometry.steps(from: last, to: next, count: max(1, Int(count)))
                last = next
            }
        }
        return found
    }

    /// Evenly spaced points from `start` to `end`, with `end` but without `start`.
    private static func steps(from start: GeoPoint, to end: GeoPoint, count: Int) -> [GeoPoint] {
        (1...count).map { step in
            let share = Double(step) / Double(count)
            return GeoPoint(
                latitude: start.latitude + share * (end.latitude - start.latitude),
                longitude: start.longitude + share * (end.longitude - start.longitude))
        }
    }
}

extension JSONValue {
    var members: [String: JSONValue]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    var elements: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// A JSON value as text: a string, the first string of an array, or the digits of a whole number.
    ///
    /// Nil for an empty text, and for a text that is too long for a table.
    var asText: String? {
        switch self {
        case .string(let text): text.isEmpty || text.utf8.count > TagRules.longestText ? nil : text
        case .number(let number): Int(exactly: number).map { "\($0)" }
        case .array(let elements): elements.first?.asText
        default: nil
        }
    }

    var asNumber: Double? {
        switch self {
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }
}
