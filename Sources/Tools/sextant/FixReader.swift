internal import Emulation
internal import Fusion
internal import Units

/// A reader of fixes, as they come, from a table with the columns that `FixTable` writes.
struct FixReader {
    private var rows = CSVReader(columns: columns, requiredCount: 3)
    /// Rows whose time is not a number, or is beyond all times that a clock shows.
    private(set) var timelessCount: UInt64 = 0
    private(set) var count: UInt64 = 0

    private static let columns = [
        "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course",
    ]
    /// The latest time accepted, and its negative the earliest, in seconds since 1970: to the year 2255.
    private static let latest = 9e9

    mutating func push(_ bytes: borrowing Span<UInt8>) { rows.push(bytes) }

    mutating func end() { rows.end() }

    /// The next fix and the instant of its measurement, on the table's own time.
    ///
    /// Nil where more bytes are needed, or at the end.
    mutating func next() throws(CSVError) -> (fix: FilterFix, instant: MonotonicInstant)? {
        while try rows.next() {
            count += 1
            let time = try rows.required(0)
            // Impossible values are left for the filter to count.
            let fix = FilterFix(
                latitude: try rows.required(1), longitude: try rows.required(2), altitude: rows[3],
                horizontalAccuracy: rows[4], verticalAccuracy: rows[5], speed: rows[6], course: rows[7])
            guard abs(time) <= FixReader.latest else {
                timelessCount += 1
                continue
            }
            // A Double that holds seconds since 1970 resolves a quarter of a microsecond today.
            return (fix, MonotonicInstant(nanoseconds: Int64((time * 1e6).rounded()) * 1000))
        }
        return nil
    }
}
