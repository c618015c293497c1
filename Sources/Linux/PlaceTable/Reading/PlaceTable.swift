public import SextantPlaces
internal import SextantSQLite

/// An open table of place names.
///
/// A class, because its searches and statements refer to one connection. It belongs to one thread at a time.
public final class PlaceTable {
    public let path: String
    public let about: TableDescription
    let file: TableFile
    private let boxes: BoxSearch
    private let asked: Subject<ReverseSearch>
    private let blocks: TableStatement
    private let block: TableStatement
    private let placeName: TableStatement
    private let areaRow: TableStatement
    private let zoneName: TableStatement
    private let nameRow: TableStatement
    private let areasOfName: TableStatement
    /// The grid cells that tell land from sea; nil if the table has none.
    private let landRow: TableStatement?
    private var knownAreas: [UInt32: Area] = [:]
    /// The names of time zones that were read from the file up to now; the tz database has some 400.
    private var knownZones: [UInt16: String] = [:]
    /// The streets, addresses and points of interest of a region table; nil in a table of towns.
    let streets: StreetTable?

    /// The largest accepted radius of an area such as a country, in metres: half the Earth's circumference.
    ///
    /// The limit is needed because a damaged table can contain any number.
    private static let maximumRadius: Int64 = 20_037_508
    /// The largest number of areas that are kept in memory, and also the largest number of time zones.
    private static let maximumAreas = 1024

    /// Opens a table of place names, and checks only its header and the definitions of its SQL tables; `check` reads
    /// the whole file.
    public init(path: String) throws(PlaceTableError) {
        let file = try TableFile(path, .immutable)
        try PlaceTable.configure(file)
        self.path = path
        self.file = file
        about = try TableDescription(of: file)
        let asked = Subject(ReverseSearch(latitude: 0, longitude: 0))
        boxes = BoxSearch { asked.value.score(of: UnitBox($0), radius: $0.count >= 8 ? $0[7] : 0) }
        self.asked = asked
        try file.register(boxes, as: "best_first")
        blocks = try file.prepare("SELECT id, x0, x1, y0, y1, z0, z1, r1 FROM block WHERE id MATCH best_first()")
        block = try file.prepare(PlaceSchema.bytes(ofBlocks: "block"))
        placeName = try file.prepare("SELECT name FROM place WHERE id = ?")
        areaRow = try file.prepare(
            "SELECT kind, parent, code, name, latitude, longitude, radius, population FROM area WHERE id = ?")
        zoneName = try file.prepare("SELECT name FROM zone WHERE id = ?")
        nameRow = try file.prepare("SELECT entries FROM name WHERE row = ?")
        areasOfName = try file.prepare("SELECT area, use FROM area_name WHERE hash = ?")
        landRow =
            try PlaceTable.has(PlaceSchema.land, in: file) ? file.prepare("SELECT runs FROM land WHERE row = ?") : nil
        streets = about.kind == .region ? try StreetTable(of: file) : nil
    }

    /// Checks that the file is a table of place names, and that its SQL tables have the expected definitions.
    private static func configure(_ file: TableFile) throws(PlaceTableError) {
        try file.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0")
        try file.execute("PRAGMA cache_size = -256; PRAGMA query_only = ON; PRAGMA temp_store = MEMORY")
        guard try file.integer("PRAGMA application_id") == PlaceSchema.applicationID else {
            throw PlaceTableError(.notATable, path: file.path)
        }
        let format = try file.integer("PRAGMA user_version")
        guard format <= PlaceSchema.format else {
            throw PlaceTableError(.newerFormat(found: Int(format)), path: file.path)
        }
        guard format == PlaceSchema.format else {
            throw PlaceTableError(.olderFormat(found: Int(format)), path: file.path)
        }
        try check(PlaceSchema.towns + PlaceSchema.shadows, of: file)
    }

    /// Whether a file has an SQL table that only some files have; throws if the table has an unexpected definition.
    private static func has(_ table: PlaceSchema.Definition, in file: TableFile) throws(PlaceTableError) -> Bool {
        guard try file.integer("SELECT count(*) FROM sqlite_schema WHERE name = '\(table.name)'") > 0 else {
            return false
        }
        try check([table], of: file)
        return true
    }

    /// Checks that a file has SQL tables with exactly these definitions.
    static func check(_ expected: [PlaceSchema.Definition], of file: TableFile) throws(PlaceTableError) {
        let definitions = try file.prepare("SELECT type, sql FROM sqlite_schema WHERE name = ?")
        for expected in expected {
            try definitions.bind(.text(expected.name), at: 1)
            defer { definitions.reset() }
            guard try definitions.step(), definitions.name(0) == "table",
                expected.sql.isEmpty || definitions.name(1, limit: 1000) == expected.sql
            else {
                throw PlaceTableError(.damaged(reason: "its table \(expected.name) is not a table's"), path: file.path)
            }
        }
    }
}

// MARK: The names of a point

extension PlaceTable {
    /// The names of the place at a point; nil if no place is near, or if the coordinates are out of range.
    ///
    /// In a region table these are the names of the address, street or point of interest near the point; without such
    /// an object, those of its town.
    public func reverse(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
        let town = try reverseTown(latitude: latitude, longitude: longitude)
        guard let mark = try reverseObject(latitude: latitude, longitude: longitude) else { return town }
        return mark.completed(by: town)
    }

    /// The names of the town to which a point belongs.
    func reverseTown(latitude: Double, longitude: Double) throws(PlaceTableError) -> Placemark? {
        guard PlaceRules.isPlace(latitude: latitude, longitude: longitude) else { return nil }
        let ground = try ground(latitude: latitude, longitude: longitude)
        asked.value = ReverseSearch(latitude: latitude, longitude: longitude)
        try look()
        var abroad: (place: NamedPlace, distance: Double)?
        if case .country(let country) = ground, let nearest = asked.value.nearest, try isAbroad(nearest.record, country)
        {
            abroad = (try namedPlace(nearest.place, nearest.record), nearest.distance)
            asked.value = ReverseSearch(latitude: latitude, longitude: longitude, inCountry: country)
            try look()
        }
        guard asked.value.lookForTown(), let nearest = asked.value.nearest else {
            return try farFromPlaces(latitude: latitude, longitude: longitude, ground, abroad)
        }
        try look()
        let named = try namedPlace(nearest.place, nearest.record)
        var town: (place: NamedPlace, distance: Double)?
        if let found = asked.value.town {
            let place = found.place == nearest.place ? named : try namedPlace(found.place, found.record)
            town = (place, found.distance)
        }
        return Placemark(
            latitude: latitude, longitude: longitude, nearest: (named, nearest.distance), town: town, abroad: abroad,
            ground: ground)
    }

    /// The answer from the grid cells of land and sea alone: for a point with no place near, or whose nearest place is
    /// in another country.
    private func farFromPlaces(
        latitude: Double, longitude: Double, _ ground: Ground, _ abroad: (place: NamedPlace, distance: Double)?
    ) throws(PlaceTableError) -> Placemark? {
        switch ground {
        case .undecided: return nil
        case .sea, .territorialSea:
            return Placemark(ofOpenSeaAtLatitude: latitude, longitude: longitude, source: about.source)
        case .country(let id):
            guard let country = try area(UInt32(id)), country.kind == .country else { return nil }
            return Placemark(
                latitude: latitude, longitude: longitude, in: country, abroad: abroad, source: about.source)
        }
    }

    /// Whether a place is abroad for a point: it belongs to another country than the land at the point, and is not
    /// itself on land of the point's country.
    ///
    /// If the table's grid cells say that the place is on land of the point's country, cells and place contradict each
    /// other about the country. The place's country is then used. This happens in disputed areas, and in small
    /// countries that the cells do not have.
    private func isAbroad(_ place: PlaceRecord, _ country: UInt16) throws(PlaceTableError) -> Bool {
        guard place.country != country else { return false }
        return try ground(latitude: place.latitude, longitude: place.longitude) != .country(country)
    }

    /// Whether a point on the globe is land (and of which country) or sea, by the table's grid cells; undecided if the
    /// table has no cells.
    private func ground(latitude: Double, longitude: Double) throws(PlaceTableError) -> Ground {
        guard let landRow else { return .undecided }
        try landRow.bind(.integer(Int64(LandCells.row(latitude: latitude))), at: 1)
        defer { landRow.reset() }
        guard try landRow.step() else { return .undecided }
        return landRow.withBytes(0) { LandCells.ground(longitude: longitude, in: $0) }
    }

    /// Reads the boxes that the R*Tree hands out for the search, the most promising first, until no further box can
    /// contain a better place.
    private func look() throws(PlaceTableError) {
        boxes.restart()
        defer { blocks.reset() }
        while try blocks.step() {
            let box = UnitBox(
                lower: UnitVector(x: blocks.double(1), y: blocks.double(3), z: blocks.double(5)),
                upper: UnitVector(x: blocks.double(2), y: blocks.double(4), z: blocks.double(6)))
            guard asked.value.score(of: box, radius: blocks.double(7)) != nil else { return }
            try block.bind(.integer(blocks.integer(0)), at: 1)
            defer { block.reset() }
            guard try block.step() else { continue }
            // The sum wraps around instead of trapping, because a damaged table can contain any number.
            let first = blocks.integer(0) &* Int64(PlaceRecord.perBlock)
            block.withBytes(0) { bytes in
                for index in 0..<min(PlaceRecord.perBlock, bytes.count / PlaceRecord.byteCount) {
                    guard let record = PlaceRecord(at: index * PlaceRecord.byteCount, in: bytes),
                        let place = UInt32(exactly: first &+ Int64(index))
                    else { continue }
                    asked.value.consider(place, record)
                }
            }
        }
    }

    func namedPlace(_ place: UInt32, _ record: PlaceRecord) throws(PlaceTableError) -> NamedPlace {
        var zone: String?
        if let number = record.zone { zone = try self.zone(number) }
        var city: String?
        if let place = record.city { city = try name(of: place).map(PlaceName.withoutBrackets) }
        return NamedPlace(
            record: record, name: try name(of: place) ?? "", areas: try chain(of: record), zone: zone, city: city,
            source: about.source)
    }

    private func zone(_ number: UInt16) throws(PlaceTableError) -> String? {
        if let known = knownZones[number] { return known }
        try zoneName.bind(.integer(Int64(number)), at: 1)
        defer { zoneName.reset() }
        guard try zoneName.step(), let name = zoneName.name(0).flatMap(TableDescription.zoneName) else { return nil }
        if knownZones.count < PlaceTable.maximumAreas { knownZones[number] = name }
        return name
    }

    /// The place that names the town to which a point belongs, in a region table; nil if no town is within reach.
    func town(latitude: Double, longitude: Double) throws(PlaceTableError) -> ReverseSearch.Found? {
        asked.value = ReverseSearch(latitude: latitude, longitude: longitude)
        try look()
        guard asked.value.lookForTown() else { return nil }
        try look()
        return asked.value.town
    }
}

// MARK: The places of a name

extension PlaceTable {
    /// The places that have this name, the best match first.
    public func forward(_ question: PlaceQuestion) throws(PlaceTableError) -> PlaceAnswer {
        var search = ForwardSearch(question, in: self)
        let found = try search.search()
        if case .results(let results) = found { return .places(try placemarks(results)) }
        let objects = try forwardObjects(question)
        if !objects.isEmpty { return .places(objects) }
        guard case .partial(let results, _) = found else { return .nothing }
        return .partial(try placemarks(results))
    }

    func placemarks(_ results: [ForwardSearch<PlaceTable>.Result]) throws(PlaceTableError) -> [Placemark] {
        var marks: [Placemark] = []
        for result in results {
            switch result {
            case .place(let place, let record):
                marks.append(try namedPlace(place, record).placemark())
            case .area(_, let area):
                var chain = AreaChain()
                var next: Area? = area
                for _ in 0..<4 {
                    guard let area = next else { break }
                    chain.add(area)
                    next = nil
                    if let parent = area.parent { next = try self.area(parent) }
                }
                marks.append(area.placemark(in: chain, source: about.source))
            }
        }
        return marks
    }
}

extension PlaceTable: PlaceNames {
    public typealias Failure = PlaceTableError

    public func places(named key: NameKey) throws(PlaceTableError) -> [UInt32] {
        try nameRow.bind(.integer(NameRow.number(of: key)), at: 1)
        defer { nameRow.reset() }
        guard try nameRow.step() else { return [] }
        return nameRow.withBytes(0) { NameRow.places(of: key, in: $0, most: PlaceTable.maximumOfName) }
    }

    public func areas(named key: NameKey) throws(PlaceTableError) -> [NamedArea] {
        try areasOfName.bind(.integer(key.rawValue), at: 1)
        defer { areasOfName.reset() }
        var areas: [NamedArea] = []
        while areas.count < PlaceTable.maximumOfName, try areasOfName.step() {
            guard let area = UInt32(exactly: areasOfName.integer(0)),
                let use = NamedArea.Use(rawValue: areasOfName.integer(1))
            else { continue }
            areas.append(NamedArea(area: area, use: use))
        }
        return areas
    }

    /// The largest number of places with one name that are read, and also the largest number of areas with one name.
    private static let maximumOfName = 2000

    public func record(of place: UInt32) throws(PlaceTableError) -> PlaceRecord? {
        try block.bind(.integer(Int64(place) / Int64(PlaceRecord.perBlock)), at: 1)
        defer { block.reset() }
        guard try block.step() else { return nil }
        let offset = Int(place) % PlaceRecord.perBlock * PlaceRecord.byteCount
        return block.withBytes(0) { PlaceRecord(at: offset, in: $0) }
    }

    public func name(of place: UInt32) throws(PlaceTableError) -> String? {
        try placeName.bind(.integer(Int64(place)), at: 1)
        defer { placeName.reset() }
        return try placeName.step() ? placeName.name(0) : nil
    }

    public func area(_ area: UInt32) throws(PlaceTableError) -> Area? {
        if let known = knownAreas[area] { return known }
        try areaRow.bind(.integer(Int64(area)), at: 1)
        defer { areaRow.reset() }
        guard try areaRow.step(), let kind = Area.Kind(rawValue: Int(areaRow.integer(0))), let name = areaRow.name(3)
        else { return nil }
        let (latitude, longitude) = (Double(areaRow.integer(4)) / 100_000, Double(areaRow.integer(5)) / 100_000)
        guard PlaceRules.isPlace(latitude: latitude, longitude: longitude) else { return nil }
        let parent = areaRow.integer(1)
        let found = Area(
            kind: kind, parent: parent < 0 ? nil : UInt32(exactly: parent), code: areaRow.name(2) ?? "", name: name,
            latitude: latitude, longitude: longitude,
            radius: Double(max(0, min(PlaceTable.maximumRadius, areaRow.integer(6)))),
            population: UInt64(max(0, areaRow.integer(7))))
        if knownAreas.count >= PlaceTable.maximumAreas { knownAreas.removeAll(keepingCapacity: true) }
        knownAreas[area] = found
        return found
    }
}

extension PlaceTable {
    /// Reads the whole file, and throws if its structure is damaged.
    public func check() throws(PlaceTableError) {
        if let complaint = try file.text("PRAGMA quick_check(1)"), complaint != "ok" {
            throw PlaceTableError(.damaged(reason: complaint.replacing("\n", with: " ")), path: path)
        }
        // SQLite's own check does not look into R*Trees, so they are checked one by one; of a long error text the
        // beginning is enough.
        let trees = """
            SELECT substr(rtreecheck('main', name), 1, 200) FROM sqlite_master
            WHERE sql LIKE '%USING rtree%' AND rtreecheck('main', name) <> 'ok' LIMIT 1
            """
        if let complaint = try file.text(trees) {
            throw PlaceTableError(.damaged(reason: complaint.replacing("\n", with: " ")), path: path)
        }
    }
}
