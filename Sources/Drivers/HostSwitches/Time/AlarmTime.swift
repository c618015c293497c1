internal import SextantUnits

/// An alarm as clock chips store it: a time of day, on every day or on one day of each month.
struct AlarmTime: Sendable, Equatable {
    /// 1 to 31; nil for every day.
    var day: UInt8?
    var hour: UInt8
    var minute: UInt8
    var second: UInt8

    init(day: UInt8?, hour: UInt8, minute: UInt8, second: UInt8) {
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
    }

    /// The alarm for an instant, without its fraction of a second.
    init(_ instant: UTCInstant, isDaily: Bool = false) {
        let time = instant.timeOfDay / 1_000_000_000
        self.init(
            day: isDaily ? nil : instant.date.day, hour: UInt8(time / 3600), minute: UInt8(time / 60 % 60),
            second: UInt8(time % 60))
    }

    /// Reads the alarm from a chip's fields, which are binary-coded decimals; nil if they are no valid time of day or
    /// day of a month.
    init?(bcdDay day: UInt8?, hour: UInt8, minute: UInt8, second: UInt8) {
        guard let hour = hour.decimal, let minute = minute.decimal, let second = second.decimal, hour < 24, minute < 60,
            second < 60
        else { return nil }
        if let day {
            guard let day = day.decimal, (1...31).contains(day) else { return nil }
            self.init(day: day, hour: hour, minute: minute, second: second)
        } else {
            self.init(day: nil, hour: hour, minute: minute, second: second)
        }
    }

    /// The first instant after `clock`, the time of the chip's clock, at which the alarm fires; nil if no month has the
    /// alarm's day.
    ///
    /// Months without that day are skipped, as in the chips, which compare field by field.
    func next(after clock: UTCInstant) -> UTCInstant? {
        let time = (Int64(hour) * 3600 + Int64(minute) * 60 + Int64(second)) * 1_000_000_000
        let today = clock.date.daysSince1970
        // Of two successive months at least one has any given day, so the day comes within 62 days.
        for days in today...today + 62 {
            let date = CivilDate(daysSince1970: days)
            let instant = UTCInstant(date: date, timeOfDay: time)
            if instant > clock, day == nil || day == date.day { return instant }
        }
        return nil
    }
}

extension UInt8 {
    /// The number that a binary-coded decimal of two digits stands for; nil if a digit is above 9.
    var decimal: UInt8? { self >> 4 < 10 && self & 0x0F < 10 ? (self >> 4) * 10 + (self & 0x0F) : nil }

    /// The number, which must be 0 to 99, as a binary-coded decimal.
    var bcd: UInt8 { (self / 10) << 4 | self % 10 }
}
