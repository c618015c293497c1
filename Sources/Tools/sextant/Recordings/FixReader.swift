internal import Emulation
internal import Fusion
internal import SextantUnits

/// Reads fixes from a CSV table with the columns that `FixTable` writes, in the order of its rows.
struct FixReader: TableReader {
    private var rows = CSVReader(columns: columns, requiredCount: 3)
    /// The number of rows whose time is no number, or is not within 9e9 s of 1970.
    private(set) var timelessCount: UInt64 = 0
    private(set) var count: UInt64 = 0
    static let noun = "fix"

    private static let columns = [
        "time", "latitude", "longitude", "altitude", "horizontalAccuracy", "verticalAccuracy", "speed", "course",
    ]
    /// The latest accepted time in seconds since 1970, in the year 2255; its negative is the earliest accepted time.
    static let latest = 9e9

    mutating func push(_ bytes: borrowing Span<UInt8>) { rows.push(bytes) }

    mutating func end() { rows.end() }

    /// The next fix, and the instant of its measurement as its row states it.
    ///
    /// Nil if more bytes are needed, or if the table has ended.
    mutating func next() throws(CSVError) -> (fix: FilterFix, instant: MonotonicInstant)? {
        while try rows.next() {
            count += 1
            let time = try rows.required(0)
            // Rows with impossible values are passed on, because the filter that receives the fixes rejects and counts
            // them.
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

    /// The instant this many seconds after 1970; the number of seconds must not exceed `latest`.
    static func instant(_ seconds: Double) -> MonotonicInstant {
        // The time is rounded to microseconds, because today's seconds since 1970 have a resolution of only a quarter
        // of a microsecond in a Double.
        MonotonicInstant(nanoseconds: Int64((seconds * 1e6).rounded()) * 1000)
    }
}
