internal import SextantPlaces
internal import SextantSQLite

/// The streets, addresses and points of interest of a region table.
///
/// A class, because its search and statements refer to one connection. It belongs to one thread at a time.
final class StreetTable {
    private let boxes: BoxSearch
    private let asked: Subject<UnitVector>
    private let blocks: TableStatement
    private let block: TableStatement
    private let streetRow: TableStatement
    private let streetsOfName: TableStatement
    private let objectRow: TableStatement
    private let objectsOfStreet: TableStatement
    private let objectsOfName: TableStatement

    /// The square of the largest distance at which an object counts as near, measured as a chord of the unit sphere.
    private static let reach = UnitVector.squaredChord(metres: StreetRules.reach)
    /// The largest number of streets with one name that are read, and also the largest number of objects in one street
    /// or with one name.
    private static let maximumOfName = 20_000

    init(of file: TableFile) throws(PlaceTableError) {
        try PlaceTable.check(PlaceSchema.streets + PlaceSchema.streetShadows, of: file)
        let asked = Subject(UnitVector(x: 0, y: 0, z: 0))
        boxes = BoxSearch { box in
            let distance = UnitBox(box).squaredDistance(from: asked.value)
            return distance <= StreetTable.reach ? distance : nil
        }
        self.asked = asked
        try file.register(boxes, as: "near_point")
        blocks = try file.prepare("SELECT id FROM object_block WHERE id MATCH near_point()")
        block = try file.prepare(PlaceSchema.bytes(ofBlocks: "object_block"))
        streetRow = try file.prepare("SELECT id, name, place, postcode FROM street WHERE id = ?")
        streetsOfName = try file.prepare(
            """
            SELECT street.id, street.name, street.place, street.postcode FROM street_name
            JOIN street ON street.id = street_name.street WHERE street_name.hash = ? LIMIT \(StreetTable.maximumOfName)
            """)
        objectRow = try file.prepare(
            "SELECT street, number, name, class, postcode, district FROM object WHERE id = ?")
        objectsOfStreet = try file.prepare(
            "SELECT object FROM street_object WHERE street = ? LIMIT \(StreetTable.maximumOfName)")
        objectsOfName = try file.prepare(
            "SELECT object FROM object_name WHERE hash = ? LIMIT \(StreetTable.maximumOfName)")
    }

    /// The objects near a point, at most `StreetRules.maximumObjects`, each with the square of its chord to the point, the
    /// nearest first.
    func objects(near point: UnitVector) throws(PlaceTableError) -> [(object: UInt32, squaredChord: Double)] {
        asked.value = point
        boxes.restart()
        defer { blocks.reset() }
        var found: [(object: UInt32, squaredChord: Double)] = []
        while found.count < StreetRules.maximumObjects * 4, try blocks.step() {
            try block.bind(.integer(blocks.integer(0)), at: 1)
            defer { block.reset() }
            guard try block.step() else { continue }
            let first = blocks.integer(0) &* Int64(ObjectPoint.perBlock)
            block.withBytes(0) { bytes in
                for index in 0..<min(ObjectPoint.perBlock, bytes.count / ObjectPoint.byteCount) {
                    guard let place = ObjectPoint(at: index * ObjectPoint.byteCount, in: bytes),
                        let object = UInt32(exactly: first &+ Int64(index))
                    else { continue }
                    let squaredChord = place.unit.squaredChord(to: point)
                    if squaredChord <= StreetTable.reach { found.append((object, squaredChord)) }
                }
            }
        }
        found.sort { ($0.squaredChord, $0.object) < ($1.squaredChord, $1.object) }
        return Array(found.prefix(StreetRules.maximumObjects))
    }

    func point(of object: UInt32) throws(PlaceTableError) -> ObjectPoint? {
        try block.bind(.integer(Int64(object) / Int64(ObjectPoint.perBlock)), at: 1)
        defer { block.reset() }
        guard try block.step() else { return nil }
        let offset = Int(object) % ObjectPoint.perBlock * ObjectPoint.byteCount
        return block.withBytes(0) { ObjectPoint(at: offset, in: $0) }
    }

    func object(_ object: UInt32) throws(PlaceTableError) -> StoredObject? {
        guard let point = try point(of: object) else { return nil }
        try objectRow.bind(.integer(Int64(object)), at: 1)
        defer { objectRow.reset() }
        guard try objectRow.step() else { return nil }
        return StoredObject(
            object: object, point: point, street: objectRow.identifier(0), number: objectRow.name(1),
            name: objectRow.name(2), category: objectRow.name(3), postcode: objectRow.name(4),
            district: objectRow.identifier(5))
    }

    func street(_ street: UInt32) throws(PlaceTableError) -> StoredStreet? {
        try streetRow.bind(.integer(Int64(street)), at: 1)
        defer { streetRow.reset() }
        return try streetRow.step() ? StreetTable.street(of: streetRow) : nil
    }

    func streets(named key: NameKey) throws(PlaceTableError) -> [StoredStreet] {
        try streetsOfName.bind(.integer(key.rawValue), at: 1)
        defer { streetsOfName.reset() }
        var streets: [StoredStreet] = []
        while try streetsOfName.step() {
            if let street = StreetTable.street(of: streetsOfName) { streets.append(street) }
        }
        return streets
    }

    private static func street(of row: TableStatement) -> StoredStreet? {
        guard let street = row.identifier(0), let name = row.name(1) else { return nil }
        return StoredStreet(street: street, name: name, place: row.identifier(2), postcode: row.name(3))
    }

    func objects(of street: UInt32) throws(PlaceTableError) -> [UInt32] {
        try StreetTable.identifiers(objectsOfStreet, of: Int64(street))
    }

    func objects(named key: NameKey) throws(PlaceTableError) -> [UInt32] {
        try StreetTable.identifiers(objectsOfName, of: key.rawValue)
    }

    private static func identifiers(_ rows: TableStatement, of key: Int64) throws(PlaceTableError) -> [UInt32] {
        try rows.bind(.integer(key), at: 1)
        defer { rows.reset() }
        var found: [UInt32] = []
        while try rows.step() {
            if let identifier = rows.identifier(0) { found.append(identifier) }
        }
        return found
    }
}
