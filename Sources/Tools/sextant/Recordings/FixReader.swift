internal import Emulation
internal import Fusion
internal import SextantUnits

/// A reader of fixes, as they come, from a table with the columns that `FixTable` writes.
struct FixReader: TableReader {
    private var rows = CSVReader(columns: columns, requiredCount: 3)
    /// Rows whose time is not a number, or is beyond all times that a clock shows.
    private(set) var timelessCount: UInt64 = 0
    private(set) var count: UInt64 = 0
    static let noun = "fix"

    private static let columns = [
        "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course",
    ]
    /// The latest time accepted, and its negative the earliest, in seconds since 1970: to the year 2255.
    static let latest = 9e9

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
            return (fix, FixReader.instant(time))
        }
        return nil
    }

    /// The instant so many seconds after 1970, at most `latest`.
    static func instant(_ seconds: Double) -> MonotonicInstant {
        // A Double that holds seconds since 1970 resolves a quarter of a microsecond today.
        MonotonicInstant(nanoseconds: Int64((seconds * 1e6).rounded()) * 1000)
    }
}
