/// A date of the proleptic Gregorian calendar.
///
/// The conversions to and from day numbers count in 400-year eras of 146 097 days that begin on 1 March.
public struct CivilDate: Sendable, Hashable, Comparable {
    public var year: Int32
    /// The month, 1 to 12.
    public var month: UInt8
    /// The day of the month, 1 to 31.
    public var day: UInt8

    /// Makes a date; nil where there is no such day.
    public init?(year: Int32, month: UInt8, day: UInt8) {
        guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= CivilDate.daysInMonth(month, of: year)
        else { return nil }
        self.init(uncheckedYear: year, month: month, day: day)
    }

    init(uncheckedYear year: Int32, month: UInt8, day: UInt8) {
        self.year = year
        self.month = month
        self.day = day
    }

    public init(daysSince1970 days: Int32) {
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        self.init(
            uncheckedYear: Int32(yearOfEra + era * 400 + (month <= 2 ? 1 : 0)),
            month: UInt8(month),
            day: UInt8(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        )
    }

    public var daysSince1970: Int32 {
        let shiftedYear = Int(month <= 2 ? year - 1 : year)
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let monthFromMarch = Int(month) + (month > 2 ? -3 : 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return Int32(era * 146_097 + dayOfEra - 719_468)
    }

    private static func daysInMonth(_ month: UInt8, of year: Int32) -> UInt8 {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        default: 31
        }
    }

    public static func < (left: CivilDate, right: CivilDate) -> Bool {
        (left.year, left.month, left.day) < (right.year, right.month, right.day)
    }
}

extension CivilDate {
    /// Whether a receiver can have been used on this date: not before GPS began, and not so late that a correction by
    /// 1024 weeks would exceed the range of `UTCInstant`.
    public var isReceivable: Bool { (1980...2240).contains(year) }

    /// A date written `YYYY-MM-DD`; nil where the text has another form or no such day exists.
    public init?(iso8601 text: some StringProtocol) {
        let digits = Array(text.utf8)
        guard digits.count == 10, digits[4] == 0x2D, digits[7] == 0x2D else { return nil }
        let parts = [digits[0..<4], digits[5..<7], digits[8..<10]].map { part in
            part.reduce(into: 0 as Int?) { value, byte in
                value = (0x30...0x39).contains(byte) ? value.map { $0 * 10 + Int(byte - 0x30) } : nil
            }
        }
        guard let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        self.init(year: Int32(year), month: UInt8(month), day: UInt8(day))
    }
}
