internal import SextantJSON

/// A feature that osmium made of a node, a way or a relation of OpenStreetMap.
struct GeoJSONFeature {
    private let id: String
    private let isWayAsArea: Bool
    private let tags: [String: JSONValue]
    private let names: (own: String, others: [String])
    private let geometry: Geometry

    /// The largest distance in metres between two consecutive stored points of a street.
    private static let streetStep = 50.0

    /// Returns nil for anything that is not a GeoJSON feature with tags and a known geometry.
    init?(_ members: [String: JSONValue], _ languages: NameLanguages) {
        guard members["type"]?.asText == "Feature", let tags = members["properties"]?.members,
            let geometry = Geometry(members["geometry"])
        else { return nil }
        self.tags = tags
        names = languages.names(tags.filter { GeoJSONFeature.isName($0.key) })
        self.geometry = geometry
        let written = members["id"]?.asText ?? ""
        id = GeoJSONFeature.identity(written)
        isWayAsArea = written.hasPrefix("a") && id.hasPrefix("w")
    }

    /// A feature's OpenStreetMap type letter and id, such as w17; an area has those of the way or relation that it was
    /// made from.
    ///
    /// osmium gives the area of way n the number 2n, and the area of relation n the number 2n + 1.
    private static func identity(_ id: String) -> String {
        guard id.hasPrefix("a"), let number = UInt64(id.dropFirst()) else { return id }
        return number.isMultiple(of: 2) ? "w\(number / 2)" : "r\(number / 2)"
    }

    /// Whether a tag's key stands for a name of the feature, in whatever language.
    private static func isName(_ key: String) -> Bool {
        ["name", "alt_name", "official_name"].contains(key.prefix { $0 != ":" })
    }

    private func tag(_ key: String) -> String { tags[key]?.asText ?? "" }

    var items: [ImportedItem] {
        if tag("boundary") == "administrative" { return boundary.map { [.boundary($0)] } ?? [] }
        if let town { return [.object(town)] }
        if !tag("highway").isEmpty { return street.map { .object($0) } }
        return (address ?? interest).map { [.object($0)] } ?? []
    }

    private var boundary: Boundary? {
        guard geometry.isArea, let level = tags["admin_level"]?.asNumber.flatMap({ Int(exactly: $0) }),
            (2...8).contains(level), !tag("name").isEmpty
        else { return nil }
        let codes = [tag("ISO3166-1:alpha2"), tag("ISO3166-1"), tag("country_code")]
        return Boundary(
            level: level, name: tag("name"), code: codes.first { $0.utf8.count == 2 }?.uppercased() ?? "",
            rings: geometry.lines)
    }

    private var town: ImportedObject? {
        guard let (people, isSection) = TagRules.people(ofPlace: tag("place")), !tag("name").isEmpty else { return nil }
        var town = named(.town)
        town.population = tags["population"]?.asNumber.flatMap { UInt32(exactly: $0.rounded()) } ?? people
        town.isSection = isSection
        return town
    }

    private var street: [ImportedObject] {
        // An area made from a way is skipped: the way is also in the input as a line, which gives the points of the
        // street.
        guard !tag("name").isEmpty, !isWayAsArea else { return [] }
        return geometry.points(every: GeoJSONFeature.streetStep).map { point in
            var street = object(.street, at: point)
            street.street = tag("name")
            street.otherNames = names.others
            return street
        }
    }

    private var address: ImportedObject? {
        let street = tag("addr:street").isEmpty ? tag("addr:place") : tag("addr:street")
        guard !street.isEmpty, !tag("addr:housenumber").isEmpty else { return nil }
        var address = category == nil ? object(.address, at: geometry.middle) : named(.address)
        address.street = street
        address.number = tag("addr:housenumber")
        return address
    }

    private var interest: ImportedObject? { category == nil || tag("name").isEmpty ? nil : named(.interest) }

    private var category: String? {
        guard let key = TagRules.interests.first(where: { !tag($0).isEmpty }) else { return nil }
        return "\(key).\(tag(key))"
    }

    private func object(_ kind: ImportedObject.Kind, at point: GeoPoint) -> ImportedObject {
        var object = ImportedObject(kind: kind, latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7)
        object.id = id
        object.postcode = tag("addr:postcode")
        object.town = tag("addr:city")
        object.district = tag("addr:suburb")
        object.state = tag("addr:state")
        object.country = tag("addr:country").utf8.count == 2 ? tag("addr:country").uppercased() : ""
        return object
    }

    private func named(_ kind: ImportedObject.Kind) -> ImportedObject {
        var object = object(kind, at: geometry.middle)
        (object.name, object.otherNames) = names
        object.category = category ?? ""
        return object
    }
}
