internal import SextantPlaces
internal import SextantSQLite

typealias TableFile = SQLiteFile<PlaceTableError>

typealias TableStatement = SQLiteStatement<PlaceTableError>

extension TableFile {
    /// The first column of the first row of the result; nil if there is no row.
    func text(_ sql: String) throws(PlaceTableError) -> String? {
        let statement = try prepare(sql)
        return try statement.step() ? statement.name(0) : nil
    }
}

extension TableStatement {
    /// A column's value as text; nil if it is not text, is empty, or has more bytes than the limit.
    func name(_ column: Int32, limit: Int = 400) -> String? { text(column, bytes: 1...limit) }

    /// A column's value as a row number; nil if it is NULL or out of range.
    func identifier(_ column: Int32) -> UInt32? {
        isNull(column) ? nil : UInt32(exactly: integer(column))
    }
}

/// What a search looks for, such as a point, in a box that two owners share: the code that starts the search sets it,
/// and the callback that scores the R*Tree's boxes reads it.
final class Subject<Value> {
    var value: Value

    init(_ value: Value) { self.value = value }
}

extension UnitBox {
    /// The box to which a search is limited: the smallest and the largest x, y and z.
    init(_ box: borrowing Span<Double>) {
        self.init(
            lower: UnitVector(x: box[0], y: box[2], z: box[4]), upper: UnitVector(x: box[1], y: box[3], z: box[5]))
    }
}
