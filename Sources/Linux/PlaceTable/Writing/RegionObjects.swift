internal import SextantPlaces
internal import SextantUnits

/// Writes the streets and the objects of a region table from the temporary table `sorted`.
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

    /// The town's number in `place`, -1 where there is no town.
    private func place(of object: ImportedObject) -> Int64 { finder.town(of: object).map { Int64($0) } ?? -1 }

    /// Writes each street of each town once.
    mutating func writeStreets() throws(PlaceTableError) {
        let use = try file.prepare("INSERT INTO temp.used VALUES (?, ?, ?)")
        try StagedObjects.read("sorted", "rowid", in: file) { object throws(PlaceTableError) in
            guard !object.street.isEmpty else { return }
            use.bind(place(of: object), at: 1)
            use.bind(object.street, at: 2)
            use.bindText(object.postcode, at: 3)
            try use.run()
        }
        let rows = try file.prepare(
            "SELECT place, name, min(postcode), max(postcode) FROM temp.used GROUP BY 1, 2 ORDER BY 1, 2")
        let street = try file.prepare("INSERT INTO street VALUES (?, ?, ?, ?)")
        let number = try file.prepare("INSERT INTO temp.number VALUES (?1, ?2, ?3, ?4)")
        let key = try file.prepare("INSERT INTO temp.street_key VALUES (?, ?)")
        while try rows.step() {
            guard let name = rows.text(1) else { continue }
            // If the addresses of a street have several postal codes, the street has none: each address keeps its own.
            let postcode = rows.text(2) == rows.text(3) ? rows.text(2) ?? "" : ""
            street.bind(Int64(streets), at: 1)
            street.bind(name, at: 2)
            street.bind(rows.integer(0), at: 3)
            street.bindText(postcode, at: 4)
            try street.run()
            number.bind(rows.integer(0), at: 1)
            number.bind(name, at: 2)
            number.bind(Int64(streets), at: 3)
            number.bindText(postcode, at: 4)
            try number.run()
            try RegionObjects.write(NameKey.keys(of: name), of: streets, to: key)
            streets += 1
        }
    }

    private static func keys(of names: [String]) -> Set<NameKey> {
        names.reduce(into: []) { $0.formUnion(NameKey.keys(of: $1)) }
    }

    private static func write(_ keys: Set<NameKey>, of id: Int, to statement: TableStatement) throws(PlaceTableError) {
        for key in keys {
            statement.bind(key.rawValue, at: 1)
            statement.bind(Int64(id), at: 2)
            try statement.run()
        }
    }

    /// Writes keys in sorted order, and returns their number.
    private func write(keys: String, to table: String) throws(PlaceTableError) -> Int {
        try file.execute("INSERT INTO \(table) SELECT DISTINCT hash, id FROM temp.\(keys) ORDER BY 1, 2")
        return Int(try file.integer("SELECT count(*) FROM \(table)"))
    }

    /// The street that an object belongs to, found with a prepared statement; nil where it has none.
    private func street(
        of object: ImportedObject, _ number: TableStatement
    ) throws(PlaceTableError) -> (id: Int64, postcode: String?)? {
        guard !object.street.isEmpty else { return nil }
        defer { number.reset() }
        number.bind(place(of: object), at: 1)
        number.bind(object.street, at: 2)
        return try number.step() ? (number.integer(0), number.text(1)) : nil
    }

    /// Writes the objects in their order, and their blocks.
    mutating func writeObjects() throws(PlaceTableError) {
        let insert = try file.prepare("INSERT INTO object VALUES (?, ?, ?, ?, ?, ?, ?)")
        let number = try file.prepare("SELECT id, postcode FROM temp.number WHERE place = ? AND name = ?")
        let key = try file.prepare("INSERT INTO temp.object_key VALUES (?, ?)")
        let streetKey = try file.prepare("INSERT INTO temp.street_key VALUES (?, ?)")
        var block = try ObjectBlock(file)
        var (count, bounds) = (0, self.bounds)
        try StagedObjects.read("sorted", "rowid", in: file) { object throws(PlaceTableError) in
            insert.bind(Int64(count), at: 1)
            insert.bindNull(at: 2)
            var postcode = object.postcode
            if let street = try street(of: object, number) {
                insert.bind(street.id, at: 2)
                if street.postcode == postcode { postcode = "" }
                if object.kind == .street {
                    try RegionObjects.write(
                        RegionObjects.keys(of: object.otherNames), of: Int(street.id), to: streetKey)
                }
            }
            for (index, text) in [object.number, object.name, object.category, postcode].enumerated() {
                insert.bindText(text, at: Int32(index + 3))
            }
            insert.bindNull(at: 7)
            if let district = finder.district(of: object) { insert.bind(Int64(district), at: 7) }
            try insert.run()
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

/// The block of objects that is being filled.
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

    /// Writes the block, and begins the next.
    mutating func write() throws(PlaceTableError) {
        guard let box else { return }
        insert.bind(Int64(number), at: 1)
        let bounds = [box.lower.x, box.upper.x, box.lower.y, box.upper.y, box.lower.z, box.upper.z]
        for (index, bound) in bounds.enumerated() { insert.bind(bound, at: Int32(index + 2)) }
        insert.bind(points.bytes, at: 8)
        try insert.run()
        number += 1
        (objects, points, self.box) = (0, RecordWriter(), nil)
    }
}

extension TableStatement {
    /// Binds a text, or NULL for the empty one.
    func bindText(_ text: String, at index: Int32) {
        if text.isEmpty { bindNull(at: index) } else { bind(text, at: index) }
    }
}
