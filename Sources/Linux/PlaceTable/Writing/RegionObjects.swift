internal import SextantPlaces
internal import SextantSQLite
internal import SextantUnits

/// Writes the streets, addresses and points of interest of a region table, which it reads from the temporary table
/// `sorted`.
struct RegionObjects {
    private let finder: TownFinder
    private let file: TableFile
    private(set) var streets = 0
    private(set) var count = 0
    private(set) var names = 0
    private(set) var bounds: RegionBounds?

    init(_ finder: TownFinder, _ file: TableFile) throws(PlaceTableError) {
        self.finder = finder
        self.file = file
        try file.execute(
            """
            CREATE TEMP TABLE used(place INTEGER, name TEXT, postcode TEXT);
            CREATE TEMP TABLE number(place INTEGER, name TEXT, id INTEGER, postcode TEXT, PRIMARY KEY(place, name))
            WITHOUT ROWID;
            CREATE TEMP TABLE street_key(hash INTEGER, id INTEGER);
            CREATE TEMP TABLE object_key(hash INTEGER, id INTEGER)
            """)
    }

    /// The number of the object's town in the table `place`; -1 if the object has no town.
    private func place(of object: ImportedObject) -> Int64 { finder.town(of: object).map { Int64($0) } ?? -1 }

    /// Writes each street of each town once, however many addresses it has.
    mutating func writeStreets() throws(PlaceTableError) {
        let use = try file.prepare("INSERT INTO temp.used VALUES (?, ?, ?)")
        try StagedObjects.read("sorted", "rowid", in: file) { object throws(PlaceTableError) in
            guard !object.street.isEmpty else { return }
            try use.run([.integer(place(of: object)), .text(object.street), .name(object.postcode)])
        }
        let rows = try file.prepare(
            "SELECT place, name, min(postcode), max(postcode) FROM temp.used GROUP BY 1, 2 ORDER BY 1, 2")
        let street = try file.prepare("INSERT INTO street VALUES (?, ?, ?, ?)")
        let number = try file.prepare("INSERT INTO temp.number VALUES (?1, ?2, ?3, ?4)")
        let key = try file.prepare("INSERT INTO temp.street_key VALUES (?, ?)")
        while try rows.step() {
            guard let name = rows.name(1) else { continue }
            // If the addresses of a street have several postal codes, the street itself gets none, and each address
            // keeps its own.
            let postcode = rows.name(2) == rows.name(3) ? rows.name(2) ?? "" : ""
            let place = rows.integer(0)
            try street.run([.integer(Int64(streets)), .text(name), .integer(place), .name(postcode)])
            try number.run([.integer(place), .text(name), .integer(Int64(streets)), .name(postcode)])
            try RegionObjects.write(NameKey.keys(of: name), of: streets, to: key)
            streets += 1
        }
    }

    private static func keys(of names: [String]) -> Set<NameKey> {
        names.reduce(into: []) { $0.formUnion(NameKey.keys(of: $1)) }
    }

    private static func write(_ keys: Set<NameKey>, of id: Int, to statement: TableStatement) throws(PlaceTableError) {
        for key in keys { try statement.run([.integer(key.rawValue), .integer(Int64(id))]) }
    }

    /// Copies the search keys from a temporary table to a table of the file, sorted, and returns their number.
    private func write(keys: String, to table: String) throws(PlaceTableError) -> Int {
        try file.execute("INSERT INTO \(table) SELECT DISTINCT hash, id FROM temp.\(keys) ORDER BY 1, 2")
        return Int(try file.integer("SELECT count(*) FROM \(table)"))
    }

    /// The row and the postal code of the street to which an object belongs; nil if the object has no street.
    ///
    /// - Parameter number: The prepared statement that finds the street.
    private func street(
        of object: ImportedObject, _ number: TableStatement
    ) throws(PlaceTableError) -> (id: Int64, postcode: String?)? {
        guard !object.street.isEmpty else { return nil }
        defer { number.reset() }
        try number.bind([.integer(place(of: object)), .text(object.street)])
        return try number.step() ? (number.integer(0), number.name(1)) : nil
    }

    /// Writes the objects in their sorted order, and the blocks (groups of neighbours) in which the R*Tree has them.
    mutating func writeObjects() throws(PlaceTableError) {
        let insert = try file.prepare("INSERT INTO object VALUES (?, ?, ?, ?, ?, ?, ?)")
        let number = try file.prepare("SELECT id, postcode FROM temp.number WHERE place = ? AND name = ?")
        let key = try file.prepare("INSERT INTO temp.object_key VALUES (?, ?)")
        let streetKey = try file.prepare("INSERT INTO temp.street_key VALUES (?, ?)")
        var block = try ObjectBlock(file)
        var (count, bounds) = (0, self.bounds)
        try StagedObjects.read("sorted", "rowid", in: file) { object throws(PlaceTableError) in
            var (postcode, streetID) = (object.postcode, SQLValue.null)
            if let street = try street(of: object, number) {
                streetID = .integer(street.id)
                if street.postcode == postcode { postcode = "" }
                if object.kind == .street {
                    try RegionObjects.write(
                        RegionObjects.keys(of: object.otherNames), of: Int(street.id), to: streetKey)
                }
            }
            try insert.run([
                .integer(Int64(count)), streetID, .name(object.number), .name(object.name), .name(object.category),
                .name(postcode), finder.district(of: object).map { .integer(Int64($0)) } ?? .null,
            ])
            if object.kind != .street {
                try RegionObjects.write(
                    RegionObjects.keys(of: [object.name] + object.otherNames), of: count, to: key)
            }
            try block.add(object)
            bounds = RegionBounds(bounds, with: object)
            count += 1
        }
        try block.write()
        (self.count, self.bounds) = (count, bounds)
        names += try write(keys: "street_key", to: "street_name") + write(keys: "object_key", to: "object_name")
        try file.execute(
            "INSERT INTO street_object SELECT street, id FROM object WHERE street IS NOT NULL ORDER BY 1, 2")
    }
}

/// The block (group of neighbouring objects for the R*Tree) that is being filled.
private struct ObjectBlock {
    private let insert: TableStatement
    private var number = 0
    private var objects = 0
    private var points = RecordWriter()
    private var box: UnitBox?

    init(_ file: TableFile) throws(PlaceTableError) {
        insert = try file.prepare(
            "INSERT INTO object_block(id, x0, x1, y0, y1, z0, z1, points) VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
    }

    mutating func add(_ object: ImportedObject) throws(PlaceTableError) {
        let point = UnitVector(latitude: object.latitude, longitude: object.longitude)
        points.write(object.latitudeE7)
        points.write(object.longitudeE7)
        if box == nil { box = UnitBox(lower: point, upper: point) }
        box?.add(point)
        objects += 1
        if objects == ObjectPoint.perBlock { try write() }
    }

    /// Writes the block (group of neighbouring objects), and begins the next block.
    mutating func write() throws(PlaceTableError) {
        guard let box else { return }
        let bounds = [box.lower.x, box.upper.x, box.lower.y, box.upper.y, box.lower.z, box.upper.z]
        try insert.run(
            [SQLValue.integer(Int64(number))] + bounds.map { SQLValue.real($0) } + [SQLValue.blob(points.bytes)])
        number += 1
        (objects, points, self.box) = (0, RecordWriter(), nil)
    }
}

extension SQLValue {
    /// A text to bind to a statement; NULL if the text is empty.
    fileprivate static func name(_ text: String) -> SQLValue { text.isEmpty ? .null : .text(text) }
}
