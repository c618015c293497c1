/// The Earth Gravitational Model of 1996: the height of mean sea level above the ellipsoid, from a coarse table.
///
/// It serves receivers that give only the height above the ellipsoid; a receiver's own geoid is always preferred. The
/// table's grid is 1 degree of latitude by 1.25 degrees of longitude, with linear interpolation. Its error against the
/// model's grid of 15 minutes, weighted by area: root mean square 0.55 m, 95 % within 1.03 m, at most 16.0 m, over
/// ocean trenches and high mountains.
public enum EGM96 {
    /// The height of the geoid above the WGS 84 ellipsoid in metres; nil where the coordinates are out of range.
    ///
    /// - Parameters:
    ///   - latitude: Degrees north, -90 to 90.
    ///   - longitude: Degrees east, -180 to 180, or 0 to 360.
    public static func undulation(latitude: Double, longitude: Double) -> Double? {
        guard abs(latitude) <= 90, longitude >= -180, longitude <= 360 else { return nil }
        let row = latitude + 90
        let column = (longitude < 180 ? longitude + 180 : longitude - 180) * columnsPerDegree
        let below = min(Int(row), GeoidTable.rowCount - 2)
        let left = min(Int(column), GeoidTable.columnCount - 1)
        let (north, east) = (row - Double(below), column - Double(left))
        let lower = interpolated(row: below, left: left, east: east)
        let upper = interpolated(row: below + 1, left: left, east: east)
        return (lower + (upper - lower) * north) * GeoidTable.quantum
    }

    private static let columnsPerDegree = Double(GeoidTable.columnCount) / 360
    private static let newline: UInt8 = 0x0A

    /// The value in a row between the column `left` and the next column to the east, in units of 0.55 m.
    private static func interpolated(row: Int, left: Int, east: Double) -> Double {
        let (first, second) = neighbours(row: row, left: left)
        return Double(first) + Double(second - first) * east
    }

    /// The values of the column `left` and of the next column to the east, each the row's first value plus the
    /// differences up to its column.
    private static func neighbours(row: Int, left: Int) -> (Int, Int) {
        GeoidTable.text.withUTF8Buffer { text in
            let start = row * (GeoidTable.columnCount + 1)
            var offset = start + start / GeoidTable.lineLength
            // Safety: the table has all its rows, which `scripts/make-geoid` writes and the tests read to their ends.
            func next() -> Int {
                if unsafe text[offset] == newline { offset += 1 }
                let digit = unsafe digit(text[offset])
                offset += 1
                return digit
            }
            let high = next()
            let first = high * 91 + next() - 45 * 91
            var value = first
            for _ in 0..<left { value += next() - 45 }
            // East of the last column, the first column follows again.
            return (value, left == GeoidTable.columnCount - 1 ? first : value + next() - 45)
        }
    }

    /// The value of a digit of base 91: the characters from $ to ~, with # in place of the backslash.
    private static func digit(_ byte: UInt8) -> Int { byte == 0x23 ? 0x5C - 0x24 : Int(byte) - 0x24 }
}
