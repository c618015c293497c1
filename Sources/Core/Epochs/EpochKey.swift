internal import SextantUnits

/// The navigation solution to which a message belongs, identified by the solution's UTC time of day.
struct EpochKey: Equatable {
    /// The time of day in milliseconds since midnight UTC; 86 400 000 or more in a leap second.
    private var milliseconds: Int64

    private static let day: Int64 = 86_400_000
    /// The times of two messages of one epoch differ by at most this, in milliseconds: receivers truncate decimals, and
    /// iTOW jitters by milliseconds.
    private static let tolerance: Int64 = 10

    init(timeOfDay nanoseconds: Int64) {
        milliseconds = nanoseconds / 1_000_000
    }

    init(timeOfWeek: UInt32, leapMilliseconds: Int64) {
        let shifted = (Int64(timeOfWeek) - leapMilliseconds) % EpochKey.day
        milliseconds = shifted < 0 ? shifted + EpochKey.day : shifted
    }

    func agrees(with other: EpochKey) -> Bool {
        // The leap second 23:59:60 is not the first second of the next day.
        guard (milliseconds < EpochKey.day) == (other.milliseconds < EpochKey.day) else { return false }
        let difference = abs(milliseconds - other.milliseconds)
        return min(difference, EpochKey.day - difference) <= EpochKey.tolerance
    }

    /// Milliseconds by which a receiver's GPS time of week is ahead of its UTC, or nil if they cannot be leap seconds.
    static func leap(timeOfWeek: UInt32, utc: UTCInstant) -> Int64? {
        let difference = (Int64(timeOfWeek) * 1_000_000 - utc.timeOfDay) % UTCInstant.nanosecondsPerDay
        let positive = difference < 0 ? difference + UTCInstant.nanosecondsPerDay : difference
        let leap = (positive + 500_000_000) / 1_000_000_000 * 1000
        return leap <= 40_000 ? leap : nil
    }
}
