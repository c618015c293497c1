/// A line of a list of places, from which a table is made: fields separated by tabs; the first one is the line's kind.
///
/// | line | fields |
/// |---|---|
/// | `meta` | key, value |
/// | `country` | code, name, other names... |
/// | `code` | country, codes that can be looked up by themselves... |
/// | `state` | country, code, name, other names... |
/// | `abbreviation` | country, state's code, abbreviations that are only used beside a place's name... |
/// | `county` | country, state's code, code, name, other names... |
/// | `land` | row from the south, its runs of cells from the west: `5200- 3? 12CH`; see `LandCells` |
/// | `place` | name, latitude, longitude, people, country, state's code, county's code, zone, `section` or nothing, other names... |
public enum PlaceListLine: Sendable, Hashable {
    case meta(key: String, value: String)
    case country(code: String, names: [String])
    case code(country: String, codes: [String])
    case state(country: String, code: String, names: [String])
    case abbreviation(country: String, state: String, texts: [String])
    case county(country: String, state: String, code: String, names: [String])
    case land(row: Int, runs: [LandRun])
    case place(ListedPlace)

    public struct Problem: Error, Sendable, Hashable {
        public var text: String

        public init(_ text: String) { self.text = text }
    }

    public init(_ line: String) throws(Problem) {
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        func needs(_ count: Int) throws(Problem) {
            guard fields.count >= count else {
                throw Problem("\(fields[0]) has \(fields.count - 1) fields; it needs \(count - 1)")
            }
        }
        switch fields[0] {
        case "meta":
            try needs(3)
            self = .meta(key: fields[1], value: fields[2])
        case "country":
            try needs(3)
            self = .country(code: fields[1], names: Array(fields[2...]))
        case "code":
            try needs(3)
            self = .code(country: fields[1], codes: Array(fields[2...]))
        case "state":
            try needs(4)
            self = .state(country: fields[1], code: fields[2], names: Array(fields[3...]))
        case "abbreviation":
            try needs(4)
            self = .abbreviation(country: fields[1], state: fields[2], texts: Array(fields[3...]))
        case "county":
            try needs(5)
            self = .county(country: fields[1], state: fields[2], code: fields[3], names: Array(fields[4...]))
        case "land":
            try needs(3)
            self = try .landRow(fields)
        case "place":
            try needs(10)
            self = .place(try ListedPlace(fields))
        default: throw Problem("\"\(fields[0].prefix(20))\" is no kind of line")
        }
    }
}

/// A run of equal cells of land or sea in one row of a list of places.
public struct LandRun: Sendable, Hashable {
    public enum Kind: Sendable, Hashable {
        case sea
        case territorialSea
        case undecided
        /// A country, by its code.
        case country(String)
    }

    public var count: Int
    public var kind: Kind

    /// Returns nil if the text is not a valid run.
    fileprivate init?(_ text: Substring) {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        guard let count = Int(digits), (1...LandCells.columns).contains(count) else { return nil }
        self.count = count
        switch text.dropFirst(digits.count) {
        case "-": kind = .sea
        case "~": kind = .territorialSea
        case "?": kind = .undecided
        case let code:
            guard code.utf8.count == 2 else { return nil }
            kind = .country(String(code))
        }
    }
}

extension PlaceListLine {
    fileprivate static func landRow(_ fields: [String]) throws(Problem) -> PlaceListLine {
        guard let row = Int(fields[1]), (0..<LandCells.rows).contains(row) else {
            throw Problem("\"\(fields[1])\" is no row of land: 0 to \(LandCells.rows - 1)")
        }
        let texts = fields[2].split(separator: " ")
        let runs = texts.compactMap { LandRun($0) }
        guard runs.count == texts.count, runs.reduce(0, { $0 + $1.count }) == LandCells.columns else {
            throw Problem("the runs of row \(row) are not \(LandCells.columns) cells")
        }
        return .land(row: row, runs: runs)
    }
}

/// A place of a list.
public struct ListedPlace: Sendable, Hashable {
    public var name: String
    public var latitudeE5: Int32
    public var longitudeE5: Int32
    public var population: UInt32
    public var country: String
    public var state: String
    public var county: String
    public var zone: String
    public var isSection: Bool
    public var otherNames: [String]

    /// Degrees north.
    public var latitude: Double { Double(latitudeE5) / 100_000 }
    /// Degrees east.
    public var longitude: Double { Double(longitudeE5) / 100_000 }

    /// Makes the entry of an imported town; imported data do not tell the time zone.
    public init(_ town: ImportedObject) {
        name = town.name
        latitudeE5 = Int32((town.latitude * 100_000).rounded())
        longitudeE5 = Int32((town.longitude * 100_000).rounded())
        population = town.population
        country = town.country
        state = town.state
        county = town.county
        zone = ""
        isSection = town.isSection
        otherNames = town.otherNames
    }

    fileprivate init(_ fields: [String]) throws(PlaceListLine.Problem) {
        guard let latitude = Double(fields[2]), let longitude = Double(fields[3]),
            PlaceRules.isPlace(latitude: latitude, longitude: longitude)
        else {
            throw PlaceListLine.Problem("\(fields[2]), \(fields[3]) is no latitude and longitude in degrees")
        }
        guard let population = UInt32(fields[4]) else {
            throw PlaceListLine.Problem("\"\(fields[4])\" is no number of people")
        }
        guard !fields[1].isEmpty, fields[1].utf8.count <= 400 else {
            throw PlaceListLine.Problem("a name has 1 to 400 bytes, and this has \(fields[1].utf8.count)")
        }
        name = fields[1]
        latitudeE5 = Int32((latitude * 100_000).rounded())
        longitudeE5 = Int32((longitude * 100_000).rounded())
        self.population = population
        country = fields[5]
        state = fields[6]
        county = fields[7]
        zone = fields[8]
        isSection = fields[9] == "section"
        otherNames = Array(fields[10...])
    }
}
