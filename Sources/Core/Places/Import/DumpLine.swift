internal import SextantJSON

/// A line of a Nominatim dump file, other than the file's header line.
enum DumpLine {
    /// The countries and places in a line; empty for a line of unknown type, which the format demands to skip.
    static func items(of members: [String: JSONValue], _ languages: NameLanguages) -> [ImportedItem] {
        let content = members["content"]
        let documents = (content?.elements ?? content.map { [$0] } ?? []).compactMap { $0.members }
        switch members["type"]?.asText {
        case "Place": return documents.compactMap { DumpPlace($0, languages)?.object }.map { .object($0) }
        case "CountryInfo": return documents.compactMap { country($0, languages) }
        default: return []
        }
    }

    /// The day (YYYY-MM-DD) at the beginning of an instant's text in ISO 8601.
    static func date(_ text: String?) -> String? {
        guard let day = text?.prefix(10), day.utf8.count == 10, day.utf8.allSatisfy({ $0 == 0x2D || isDigit($0) })
        else {
            return nil
        }
        return String(day)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func country(_ document: [String: JSONValue], _ languages: NameLanguages) -> ImportedItem? {
        guard let code = document["country_code"]?.asText, code.utf8.count == 2 else { return nil }
        let names = DumpLine.names(document["name"], languages)
        return names.own.isEmpty ? nil : .country(code: code.uppercased(), names: [names.own] + names.others)
    }

    /// The names in a JSON document: the local name under the key `name`, and the kept names in other languages.
    static func names(_ value: JSONValue?, _ languages: NameLanguages) -> (own: String, others: [String]) {
        guard let members = value?.members else { return (value?.asText ?? "", []) }
        return languages.names(members)
    }
}

struct DumpPlace {
    private let document: [String: JSONValue]
    private let point: GeoPoint
    private let names: (own: String, others: [String])

    /// Returns nil if the place has no point on the globe.
    init?(_ document: [String: JSONValue], _ languages: NameLanguages) {
        guard let point = GeoPoint(document["centroid"]) ?? DumpPlace.middle(document["bbox"]) else { return nil }
        self.document = document
        self.point = point
        names = DumpLine.names(document["name"], languages)
    }

    /// The middle of a box that is given by two opposite corners, in any order.
    private static func middle(_ box: JSONValue?) -> GeoPoint? {
        guard let numbers = box?.elements?.compactMap({ $0.asNumber }), numbers.count == 4 else { return nil }
        let (latitude, longitude) = ((numbers[1] + numbers[3]) / 2, (numbers[0] + numbers[2]) / 2)
        guard PlaceRules.isPlace(latitude: latitude, longitude: longitude) else { return nil }
        return GeoPoint(latitude: latitude, longitude: longitude)
    }

    private func text(_ key: String) -> String { document[key]?.asText ?? "" }

    /// A part of the address, such as the city, from the member `address`; the member `addresslines` adds nothing to
    /// it.
    private func part(_ key: String) -> String {
        guard let address = document["address"]?.members else { return "" }
        return (address[key] ?? address["\(key):name"])?.asText ?? ""
    }

    /// This place as an object of a region table; nil if region tables do not keep places of its kind.
    var object: ImportedObject? {
        if let town { return town }
        if let address { return address }
        guard !names.own.isEmpty else { return nil }
        if text("osm_key") == "highway" || text("address_type") == "street" { return street }
        return TagRules.interests.contains(text("osm_key")) ? interest : nil
    }

    private var town: ImportedObject? {
        guard !names.own.isEmpty, let (people, isSection) = kindOfTown else { return nil }
        var town = named(.town)
        let given = document["extra"]?.members?["population"]?.asNumber
        town.population = given.flatMap { UInt32(exactly: $0.rounded()) } ?? people
        town.isSection = isSection
        return town
    }

    private var kindOfTown: (people: UInt32, isSection: Bool)? {
        switch (text("osm_key"), text("address_type")) {
        case ("place", _): TagRules.people(ofPlace: text("osm_value"))
        case ("boundary", "city"): TagRules.people(ofPlace: "municipality")
        case ("boundary", "district"): TagRules.people(ofPlace: "suburb")
        default: nil
        }
    }

    private var address: ImportedObject? {
        let street = ["street", "place", "locality", "city"].lazy.map(part).first { !$0.isEmpty } ?? ""
        guard !street.isEmpty, !text("housenumber").isEmpty else { return nil }
        var address = names.own.isEmpty ? object(.address) : named(.address)
        address.street = street
        address.number = text("housenumber")
        return address
    }

    private var street: ImportedObject {
        var street = object(.street)
        street.street = names.own
        street.otherNames = names.others
        return street
    }

    private var interest: ImportedObject { named(.interest) }

    private func object(_ kind: ImportedObject.Kind) -> ImportedObject {
        var object = ImportedObject(kind: kind, latitudeE7: point.latitudeE7, longitudeE7: point.longitudeE7)
        object.postcode = text("postcode")
        object.town = part("city")
        object.district = part("district")
        object.county = part("county")
        object.state = part("state")
        object.country = text("country_code").uppercased()
        return object
    }

    private func named(_ kind: ImportedObject.Kind) -> ImportedObject {
        var object = object(kind)
        (object.name, object.otherNames) = names
        if kind != .town { object.category = "\(text("osm_key")).\(text("osm_value"))" }
        return object
    }
}
