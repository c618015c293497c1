import SextantUnits

/// The calendar fields that NAV-PVT, HNR-PVT and NAV-TIMEUTC share.
///
/// Ranges: month 1 to 12, day 1 to 31, hour 0 to 23, minute 0 to 59, second 0 to 60, nanosecond ±1e9. A receiver that
/// does not know the time fills them with arbitrary values, so they are checked only where their validity flag is set.
enum CalendarTime {
    static func requireDate(month: UInt8, day: UInt8) throws(UBXPayloadError) {
        try require(.month, month, in: 1...12)
        try require(.day, day, in: 1...31)
    }

    static func requireTime(
        hour: UInt8, minute: UInt8, second: UInt8, nanosecond: Int32
    ) throws(UBXPayloadError) {
        try require(.hour, hour, in: 0...23)
        try require(.min, minute, in: 0...59)
        try require(.sec, second, in: 0...60)
        try require(.nano, nanosecond, in: -1_000_000_000...1_000_000_000)
    }

    /// The instant that the fields state, or nil where no such instant exists; second 60 counts as second 0 of the next
    /// minute.
    static func instant(
        year: UInt16, month: UInt8, day: UInt8, hour: UInt8, minute: UInt8, second: UInt8, nanosecond: Int32
    ) -> UTCInstant? {
        // `UTCInstant` ends in April 2262, so 2261 is its last whole year.
        guard (1980...2261).contains(year), hour < 24, minute < 60, second <= 60,
            let date = CivilDate(year: Int32(year), month: month, day: day)
        else { return nil }
        let seconds = Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)
        return UTCInstant(date: date, timeOfDay: seconds * 1_000_000_000 + Int64(nanosecond))
    }
}
