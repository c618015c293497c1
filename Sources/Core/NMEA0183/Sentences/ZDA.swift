public import SextantUnits

/// Time and date.
///
/// Source: NMEA 0183 version 4.11, ZDA.
public struct ZDA: Sendable, Equatable {
    /// The time of day: nanoseconds since midnight UTC.
    public var timeOfDay: Int64?
    /// The UTC date; nil where a field is empty, no such day exists, or `UTCInstant` cannot hold its year.
    public var date: CivilDate?

    init(_ fields: borrowing NMEAFields, in bytes: borrowing Span<UInt8>) throws(NMEAFieldError) {
        try fields.require(5)
        timeOfDay = try fields.timeOfDay(1, in: bytes)
        guard let day = fields.integer(2, in: bytes), let month = fields.integer(3, in: bytes),
            let year = fields.integer(4, in: bytes), day <= 31, month <= 12, (1980...2261).contains(year)
        else { return }
        date = CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day))
    }
}
