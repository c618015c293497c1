public import SextantPlaces
internal import SextantSQLite

/// What a table of place names says about itself, such as its source and date.
public struct TableDescription: Sendable, Hashable {
    public enum Kind: String, Sendable {
        case towns
        case region
    }

    public var kind: Kind
    /// Where the data comes from, in one line that can be shown to the user.
    public var origin: String
    /// The date of the data, YYYY-MM-DD; nil if it is not known.
    public var date: String?
    public var license: String
    /// The attribution that must be shown with everything that is made from the table, such as the source's name and
    /// licence.
    public var attribution: String
    public var places: Int
    public var names: Int
    /// The number of streets; nil in a table of towns.
    public var streets: Int?
    /// The number of addresses, points of interest and points of streets; nil in a table of towns.
    public var objects: Int?
    /// The box of latitudes and longitudes that the table covers; nil in a table of towns.
    public var bounds: RegionBounds?

    public var source: Placemark.Source { kind == .region ? .osm : .geonames }

    init(of file: TableFile) throws(PlaceTableError) {
        var values: [String: String] = [:]
        let rows = try file.prepare("SELECT key, value FROM meta LIMIT 64")
        while try rows.step() {
            if let key = rows.name(0), let value = rows.name(1) { values[key] = value }
        }
        kind = values["kind"].flatMap(Kind.init(rawValue:)) ?? .towns
        origin = values["source"] ?? "unknown"
        date = values["date"]
        license = values["license"] ?? "unknown"
        attribution = values["attribution"] ?? ""
        places = values["places"].flatMap { Int($0) } ?? 0
        names = values["names"].flatMap { Int($0) } ?? 0
        streets = values["streets"].flatMap { Int($0) }
        objects = values["objects"].flatMap { Int($0) }
        bounds = values["bounds"].flatMap { RegionBounds($0) }
    }

    /// A time zone's name; nil if it does not have the form of a tz database name: clients can use it as a file's path,
    /// and a wrong name could lead anywhere.
    static func zoneName(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2F, 0x5F, 0x2D, 0x2B: true
            default: false
            }
        }
        return isName && !text.hasPrefix("/") ? text : nil
    }
}
