internal import SextantPlaces
internal import SextantUnits

/// Makes a table of towns from the lines of a list.
///
/// The same lines in any order give the same bytes with one release of SQLite: rows are sorted, and the only date in
/// the table is the list's. Everything is kept in memory until it is written: 0.4 GB for 235 000 places with their
/// names.
public struct PlaceTableWriter {
    /// A country or a part of a country in the list, with all texts by which it can be found.
    struct ListedArea {
        var kind: Area.Kind
        var parent: String?
        var code: String
        var names: [String]
        var codes: [String] = []
        var abbreviations: [String] = []
    }

    private var meta: [String: String] = [:]
    var areas: [String: ListedArea] = [:]
    var places: [ListedPlace] = []
    /// The rows of the grid of cells that tell land from sea, by the row's number.
    var land: [Int: [LandRun]] = [:]
    private var lineCount = 0
    private let name: String

    /// - Parameter name: The name of the list, for error messages.
    public init(name: String) { self.name = name }

    public mutating func add(line: String) throws(PlaceTableError) {
        lineCount += 1
        guard !line.isEmpty else { return }
        do throws(PlaceListLine.Problem) {
            try add(try PlaceListLine(line))
        } catch {
            throw PlaceTableError(.wrongLine(number: lineCount, problem: error.text), path: name)
        }
    }

    private mutating func add(_ line: PlaceListLine) throws(PlaceListLine.Problem) {
        switch line {
        case .meta(let key, let value): meta[key] = value
        case .country(let code, let names): areas[code] = ListedArea(kind: .country, code: code, names: names)
        case .code(let country, let codes):
            guard areas[country] != nil else { throw PlaceListLine.Problem("country \(country) is not known") }
            areas[country]?.codes += codes
        case .state(let country, let code, let names):
            guard areas[country] != nil else { throw PlaceListLine.Problem("country \(country) is not known") }
            areas["\(country).\(code)"] = ListedArea(kind: .first, parent: country, code: code, names: names)
        case .abbreviation(let country, let state, let texts):
            let key = "\(country).\(state)"
            guard areas[key] != nil else { throw PlaceListLine.Problem("state \(key) is not known") }
            areas[key]?.abbreviations += texts
        case .county(let country, let state, let code, let names):
            let parent = "\(country).\(state)"
            guard areas[country] != nil else { throw PlaceListLine.Problem("country \(country) is not known") }
            areas["\(parent).\(code)"] = ListedArea(
                kind: .second, parent: areas[parent] == nil ? country : parent, code: code, names: names)
        case .land(let row, let runs):
            for case .country(let code) in runs.map(\.kind) where areas[code] == nil {
                throw PlaceListLine.Problem("country \"\(code)\" of a row of land is not known")
            }
            land[row] = runs
        case .place(let place):
            guard areas[place.country] != nil else {
                throw PlaceListLine.Problem("country \"\(place.country)\" of \(place.name) is not known")
            }
            places.append(place)
        }
    }

    /// Writes the table, which replaces an older one.
    ///
    /// - Returns: The numbers of places and of names in the table.
    public func write(to path: String) throws(PlaceTableError) -> (places: Int, names: Int) {
        let new = NewTable(at: path)
        let sorted = SortedPlaces(self)
        let file = try new.begin(PlaceSchema.towns + (land.isEmpty ? [] : [PlaceSchema.land]))
        let counts = try sorted.write(to: file)
        var meta = meta
        meta["places"] = "\(counts.places)"
        meta["names"] = "\(counts.names)"
        try new.finish(file, meta: meta)
        return counts
    }
}
