internal import SextantPlaces
internal import SextantSQLite

/// The objects of an import in temporary SQL tables, which SQLite keeps in an unnamed file.
struct StagedObjects {
    private let file: TableFile
    private let insert: TableStatement

    private static let columns = """
        hilbert INTEGER, latitude INTEGER, longitude INTEGER, kind INTEGER, id TEXT, name TEXT, names TEXT, street TEXT,
        number TEXT, postcode TEXT, town TEXT, county TEXT, state TEXT, country TEXT, category TEXT, district TEXT,
        population INTEGER, section INTEGER
        """

    /// - Parameter name: The name of the temporary table that is created.
    init(_ name: String, in file: TableFile) throws(PlaceTableError) {
        self.file = file
        try file.execute("CREATE TEMP TABLE \(name)(\(StagedObjects.columns))")
        insert = try file.prepare("INSERT INTO temp.\(name) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)")
    }

    func add(_ object: ImportedObject) throws(PlaceTableError) {
        let curve = HilbertCurve.index(latitude: object.latitude, longitude: object.longitude)
        let texts = [
            object.id, object.name, object.otherNames.joined(separator: "\n"), object.street, object.number,
            object.postcode, object.town, object.county, object.state, object.country, object.category,
            object.district,
        ]
        let numbers = [Int64(curve), Int64(object.latitudeE7), Int64(object.longitudeE7), object.kind.rawValue]
        try insert.run(
            numbers.map { SQLValue.integer($0) } + texts.map { SQLValue.text($0) }
                + [SQLValue.integer(Int64(object.population)), .integer(object.isSection ? 1 : 0)])
    }

    /// Passes the objects of a temporary table to `body`, one by one.
    ///
    /// - Parameter order: The expressions of SQL's ORDER BY.
    static func read(
        _ name: String, _ order: String, in file: TableFile,
        _ body: (ImportedObject) throws(PlaceTableError) -> Void
    ) throws(PlaceTableError) {
        let rows = try file.prepare("SELECT * FROM temp.\(name) ORDER BY \(order)")
        while try rows.step() {
            if let object = object(rows) { try body(object) }
        }
    }

    /// The objects are sorted along the Hilbert curve, and at equal positions by all other columns, so that the order
    /// of the input has no effect.
    static let sorted = "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18"

    private static func object(_ row: TableStatement) -> ImportedObject? {
        guard let kind = ImportedObject.Kind(rawValue: row.integer(3)), let latitude = Int32(exactly: row.integer(1)),
            let longitude = Int32(exactly: row.integer(2))
        else { return nil }
        var object = ImportedObject(kind: kind, latitudeE7: latitude, longitudeE7: longitude)
        func text(_ column: Int32) -> String { row.name(column, limit: .max) ?? "" }
        (object.id, object.name, object.street, object.number) = (text(4), text(5), text(7), text(8))
        object.otherNames = text(6).split(separator: "\n").map(String.init)
        (object.postcode, object.town, object.county, object.state) = (text(9), text(10), text(11), text(12))
        (object.country, object.category, object.district) = (text(13), text(14), text(15))
        object.population = UInt32(clamping: row.integer(16))
        object.isSection = row.integer(17) != 0
        return object
    }
}
