/// A town, an address, a point of a street or a point of interest that an imported file names.
///
/// A text that is not known is stored as an empty one.
public struct ImportedObject: Sendable, Hashable {
    public enum Kind: Int64, Sendable {
        case town = 0
        case address = 1
        /// One point of a street; a street has a point at least every 50 m.
        case street = 2
        case interest = 3
    }

    public var kind: Kind
    /// The OpenStreetMap type letter and id, such as w17; an area that osmium makes from a way has the way's id.
    public var id = ""
    /// The latitude in ten-millionths of a degree.
    public var latitudeE7: Int32
    /// The longitude in ten-millionths of a degree.
    public var longitudeE7: Int32
    public var name = ""
    public var otherNames: [String] = []
    public var street = ""
    public var number = ""
    public var postcode = ""
    public var town = ""
    /// The part of the town.
    public var district = ""
    public var county = ""
    public var state = ""
    /// The country's code: two capital letters of ISO 3166-1.
    public var country = ""
    /// OpenStreetMap's key and value, joined by a full stop, such as tourism.museum.
    public var category = ""
    /// The number of inhabitants of a town.
    public var population: UInt32 = 0
    /// Whether the object's tag, such as suburb, says that it is a part of a town and not a town.
    public var isSection = false

    public init(kind: Kind, latitudeE7: Int32, longitudeE7: Int32) {
        self.kind = kind
        self.latitudeE7 = latitudeE7
        self.longitudeE7 = longitudeE7
    }

    /// Degrees north.
    public var latitude: Double { Double(latitudeE7) / 10_000_000 }
    /// Degrees east.
    public var longitude: Double { Double(longitudeE7) / 10_000_000 }
}

/// What a line of an imported file can contain: an object, a boundary, a country's names, or the day of the data.
public enum ImportedItem: Sendable {
    case object(ImportedObject)
    case boundary(Boundary)
    /// The names of a country; the first is in the country's own language.
    case country(code: String, names: [String])
    /// The day of the imported data, YYYY-MM-DD.
    case date(String)
}

/// The rules by which OpenStreetMap's tags become objects of a region table.
enum TagRules {
    /// The tag keys that make a named object a point of interest; if an object has several, the earliest here counts.
    static let interests = [
        "tourism", "historic", "leisure", "military", "amenity", "shop", "office", "natural", "waterway",
    ]

    /// For a value of the tag `place`: the number of inhabitants to assume if the data give none, and whether the place
    /// is a part of a town; nil if the value means neither a town nor a part of one.
    static func people(ofPlace value: String) -> (people: UInt32, isSection: Bool)? {
        switch value {
        case "city": (100_000, false)
        case "town": (15_000, false)
        case "municipality", "village": (1500, false)
        case "hamlet": (100, false)
        case "isolated_dwelling": (10, false)
        case "borough", "suburb": (5000, true)
        case "quarter", "neighbourhood": (1000, true)
        default: nil
        }
    }

    /// The `admin_level` that the boundaries of towns have in a country.
    ///
    /// Source: OpenStreetMap wiki, "Tag:boundary=administrative".
    static func townLevel(inCountry code: String) -> Int {
        switch code {
        case "DK", "JP", "NO", "PL", "PT", "SE": 7
        default: 8
        }
    }

    /// The largest size of a text that a table keeps, in bytes of UTF-8.
    static let longestText = 400
}
