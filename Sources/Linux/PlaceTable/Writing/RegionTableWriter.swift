public import SextantPlaces
internal import SextantSQLite

/// Makes a region table (streets, addresses and towns) from the lines of an input.
///
/// The memory that it needs does not grow with the input, except for the input's towns and boundaries.
///
/// The same objects in any order give the same bytes, with one release of SQLite.
public struct RegionTableWriter {
    /// Which objects of the input go into the region table.
    public struct Options: Sendable {
        /// The box to keep: south, west, north and east in degrees; nil for the whole input.
        public var bounds: RegionBounds?
        /// The code of the only country whose objects are kept; objects that state no country are assumed to be in it.
        public var country: String?
        public var keepsInterests = true
        /// The languages whose names of a place are kept for the search, besides the local name.
        public var languages = NameLanguages()

        public init() {}
    }

    /// The number of entries of each kind in a table.
    public struct Counts: Sendable {
        public var places = 0
        public var names = 0
        public var streets = 0
        public var objects = 0
    }

    private let name: String
    private let options: Options
    private let table: NewTable
    private let file: TableFile
    private let staged: StagedObjects
    private var input: PlaceInput
    private var boundaries = Boundaries()
    private var countries: [String: [String]] = [:]
    private var date: String?

    /// - Parameters:
    ///   - name: The name of the input, for error messages.
    ///   - path: The table's path; an older table stays there until the new one is complete.
    public init(name: String, path: String, _ options: Options = Options()) throws(PlaceTableError) {
        self.name = name
        self.options = options
        input = PlaceInput(options.languages)
        table = NewTable(at: path)
        file = try table.begin(PlaceSchema.towns + PlaceSchema.streets)
        try file.execute("PRAGMA temp_store = FILE; PRAGMA temp.cache_size = -32768")
        staged = try StagedObjects("input", in: file)
    }

    /// Takes one line of the input, without the line's end.
    public mutating func add(line: [UInt8]) throws(PlaceTableError) {
        let items: [ImportedItem]
        do throws(PlaceInput.Problem) {
            items = try input.read(line: line)
        } catch {
            throw PlaceTableError(.wrongLine(number: error.line, problem: error.text), path: name)
        }
        for item in items { try add(item) }
    }

    private mutating func add(_ item: ImportedItem) throws(PlaceTableError) {
        switch item {
        case .object(let object): if isWanted(object) { try staged.add(object) }
        case .boundary(let boundary):
            boundaries.add(boundary)
            if boundary.level == 2, !boundary.code.isEmpty { countries[boundary.code] = [boundary.name] }
        case .country(let code, let names): countries[code] = names
        case .date(let day): date = day
        }
    }

    private func isWanted(_ object: ImportedObject) -> Bool {
        if object.kind == .interest, !options.keepsInterests { return false }
        if let bounds = options.bounds, !bounds.contains(latitude: object.latitude, longitude: object.longitude) {
            return false
        }
        return options.country.map { object.country.isEmpty || object.country == $0 } ?? true
    }

    /// Writes the table, which replaces an older one.
    public mutating func finish() throws(PlaceTableError) -> Counts {
        do throws(PlaceInput.Problem) {
            try input.end()
        } catch {
            throw PlaceTableError(.wrongLine(number: error.line, problem: error.text), path: name)
        }
        var towns = try sort()
        try towns.addNamedByAddresses(in: file)
        let sorted = SortedPlaces(towns.list(countries))
        let places = try sorted.write(to: file)
        var objects = try RegionObjects(TownFinder(sorted.places), file)
        try objects.writeStreets()
        try objects.writeObjects()
        guard let bounds = objects.bounds else {
            throw PlaceTableError(
                .wrongLine(number: input.lineCount, problem: "the input has no street, address or named place here"),
                path: name)
        }
        let counts = Counts(
            places: places.places, names: places.names + objects.names, streets: objects.streets,
            objects: objects.count)
        try table.finish(file, meta: meta(counts, bounds))
        return counts
    }

    /// Sorts the objects, adds to each the areas in which it is, and removes duplicates and objects of other countries;
    /// the towns are returned, and are not kept among the objects.
    private mutating func sort() throws(PlaceTableError) -> ImportedTowns {
        let sorted = try StagedObjects("sorted", in: file)
        var towns = ImportedTowns()
        var last: ImportedObject?
        var boundaries = boundaries
        let country = options.country
        try StagedObjects.read("input", StagedObjects.sorted, in: file) { object throws(PlaceTableError) in
            defer { last = object }
            if let last, RegionTableWriter.isSame(last, object) { return }
            var object = object
            boundaries.complete(&object)
            if let country {
                if object.country.isEmpty { object.country = country }
                guard object.country == country else { return }
            }
            if object.kind == .town { towns.add(object) } else { try sorted.add(object) }
        }
        try file.execute("DROP TABLE temp.input")
        return towns
    }

    /// Whether two objects that follow each other in the sorted order are the same: the input has a closed
    /// OpenStreetMap way twice, as a way and as an area.
    private static func isSame(_ first: ImportedObject, _ second: ImportedObject) -> Bool {
        if first == second { return true }
        return first.id == second.id && !first.id.isEmpty && first.kind == second.kind
            && first.latitudeE7 == second.latitudeE7 && first.longitudeE7 == second.longitudeE7
    }

    private func meta(_ counts: Counts, _ bounds: RegionBounds) -> [String: String] {
        var meta = [
            "kind": "region", "source": "OpenStreetMap", "license": "ODbL 1.0",
            "attribution": "© OpenStreetMap contributors, ODbL 1.0", "places": "\(counts.places)",
            "names": "\(counts.names)", "streets": "\(counts.streets)", "objects": "\(counts.objects)",
            "bounds": bounds.text,
        ]
        if let date { meta["date"] = date }
        return meta
    }
}

/// The towns of an import, with the countries and states in which they are.
private struct ImportedTowns {
    private var finder = TownFinder([])

    mutating func add(_ town: ImportedObject) {
        finder.append(ListedPlace(town))
    }

    /// Adds the towns and parts of towns that addresses name, but that are no objects of the input.
    ///
    /// Each is put in the middle of its addresses. Parts of different towns can have the same name.
    mutating func addNamedByAddresses(in file: TableFile) throws(PlaceTableError) {
        try addPlaces(namedIn: "town", areSections: false, file)
        try addPlaces(namedIn: "district", areSections: true, file)
    }

    private mutating func addPlaces(
        namedIn column: String, areSections: Bool, _ file: TableFile
    ) throws(PlaceTableError) {
        let groups = try file.prepare(
            """
            SELECT \(column), country, state, county, count(*), sum(latitude) / count(*), sum(longitude) / count(*)
            FROM temp.sorted WHERE \(column) <> '' GROUP BY 1, 2, 3, 4, town ORDER BY 1, 2, 3, 4, town
            """)
        while try groups.step() {
            var town = ImportedObject(
                kind: .town, latitudeE7: Int32(clamping: groups.integer(5)),
                longitudeE7: Int32(clamping: groups.integer(6)))
            (town.town, town.country) = (groups.name(0) ?? "", groups.name(1) ?? "")
            let reach = areSections ? PlaceRules.sameNameReach : PlaceRules.townReach
            guard finder.town(of: town, within: reach) == nil else { continue }
            town.name = town.town
            (town.state, town.county) = (groups.name(2) ?? "", groups.name(3) ?? "")
            // The population is estimated: about two people live at an address.
            town.population = UInt32(clamping: groups.integer(4) * 2)
            town.isSection = areSections
            add(town)
        }
    }

    /// The towns with their countries and states, as the list from which the towns' tables are written.
    func list(_ countries: [String: [String]]) -> PlaceTableWriter {
        var list = PlaceTableWriter(name: "")
        list.places = finder.towns
        for town in finder.towns {
            let country = town.country
            list.areas[country] = PlaceTableWriter.ListedArea(
                kind: .country, code: country, names: countries[country] ?? [country], codes: [country])
            let state = "\(country).\(town.state)"
            if !town.state.isEmpty {
                list.areas[state] = PlaceTableWriter.ListedArea(
                    kind: .first, parent: country, code: town.state, names: [town.state])
            }
            guard !town.county.isEmpty else { continue }
            list.areas["\(state).\(town.county)"] = PlaceTableWriter.ListedArea(
                kind: .second, parent: town.state.isEmpty ? country : state, code: town.county, names: [town.county])
        }
        return list
    }
}
