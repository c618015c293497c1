internal import SextantUnits

/// The fields of a clock chip as binary-coded decimals: a 24 h clock in UTC for the years 2000 to 2099.
struct ClockFace: Sendable, Equatable {
    var second: UInt8
    var minute: UInt8
    var hour: UInt8
    /// The weekday, 0 for Sunday to 6 for Saturday; no alarm of these drivers depends on it.
    var weekday: UInt8
    var day: UInt8
    var month: UInt8
    var year: UInt8

    init(second: UInt8, minute: UInt8, hour: UInt8, weekday: UInt8 = 0, day: UInt8, month: UInt8, year: UInt8) {
        self.second = second
        self.minute = minute
        self.hour = hour
        self.weekday = weekday
        self.day = day
        self.month = month
        self.year = year
    }

    init(_ instant: UTCInstant) {
        let time = AlarmTime(instant)
        let date = instant.date
        self.init(
            second: time.second.bcd, minute: time.minute.bcd, hour: time.hour.bcd,
            weekday: UInt8((date.daysSince1970 % 7 + 11) % 7), day: date.day.bcd, month: date.month.bcd,
            year: UInt8((date.year % 100 + 100) % 100).bcd)
    }

    /// The instant that the fields show; nil if they are no valid time, as in a chip that lost its supply.
    var instant: UTCInstant? {
        guard let time = AlarmTime(bcdDay: day, hour: hour, minute: minute, second: second),
            let month = month.decimal, let year = year.decimal, let day = time.day,
            let date = CivilDate(year: 2000 + Int32(year), month: month, day: day)
        else { return nil }
        let seconds = Int64(time.hour) * 3600 + Int64(time.minute) * 60 + Int64(time.second)
        return UTCInstant(date: date, timeOfDay: seconds * 1_000_000_000)
    }
}

extension UTCInstant {
    /// Makes an instant from whole seconds since the beginning of 1970, UTC.
    init(seconds: Int) { self.init(nanoseconds: Int64(seconds) * 1_000_000_000) }

    /// The whole seconds since 1970, in the 32 bits that a chip has for them; throws if the instant does not fit.
    func wholeSeconds(for model: HostSwitchModel) throws(HostSwitchError) -> UInt32 {
        guard let seconds = UInt32(exactly: nanoseconds / 1_000_000_000), seconds > 0 else {
            throw .outOfReach(model, "this instant")
        }
        return seconds
    }
}
