internal import Emulation
internal import Fusion
internal import Units

/// Fixes of a table with the columns that `FixTable` writes, as they come.
struct FixReader {
    private var rows = CSVReader(columns: columns, requiredCount: 3)
    /// Rows whose time is not a number, or is beyond any that a clock shows.
    private(set) var timelessCount: UInt64 = 0
    private(set) var count: UInt64 = 0

    private static let columns = [
        "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course",
    ]
    /// Seconds since 1970, either way: to the year 2255.
    private static let latest = 9e9

    mutating func push(_ bytes: borrowing Span<UInt8>) { rows.push(bytes) }

    mutating func end() { rows.end() }

    /// The next fix with when it was measured, on the table's own time; nil where more bytes are needed, or at the end.
    mutating func next() throws(CSVError) -> (fix: FilterFix, instant: MonotonicInstant)? {
        while try rows.next() {
            count += 1
            let time = try rows.required(0)
            // Fields that cannot be are for the filter to count.
            let fix = FilterFix(
                latitude: try rows.required(1), longitude: try rows.required(2), altitude: rows[3],
                horizontalAccuracy: rows[4], verticalAccuracy: rows[5], speed: rows[6], course: rows[7])
            guard abs(time) <= FixReader.latest else {
                timelessCount += 1
                continue
            }
            // A Double of today holds a quarter of a microsecond.
            return (fix, MonotonicInstant(nanoseconds: Int64((time * 1e6).rounded()) * 1000))
        }
        return nil
    }
}
