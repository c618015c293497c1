import SextantUnits
import Testing

@Suite("Civil dates and leap seconds")
struct TimeTests {
    @Test func `seconds of a time are the nearest number there is`() {
        #expect(UTCInstant(nanoseconds: 1_777_629_600_250_000_000).seconds == 1_777_629_600.25)
        #expect(UTCInstant(nanoseconds: -250_000_000).seconds == -0.25)
    }

    @Test(arguments: [
        (1970, 1, 1, 0), (1980, 1, 6, 3657), (2000, 2, 29, 11016), (2100, 3, 1, 47541), (1969, 12, 31, -1),
    ])
    func `a civil date converts to a count of days and back`(year: Int, month: Int, day: Int, days: Int) throws {
        let date = try #require(CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)))
        #expect(date.daysSince1970 == Int32(days))
        #expect(CivilDate(daysSince1970: Int32(days)) == date)
    }

    @Test(arguments: [(2023, 2, 29), (2024, 13, 1), (2024, 0, 1), (2024, 1, 0), (2024, 4, 31), (0, 1, 1)])
    func `a day that does not exist is refused`(year: Int, month: Int, day: Int) {
        #expect(CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)) == nil)
    }

    @Test(
        arguments: [
            ("1970-01-01", 0), ("1970-01-02T00:00", 86_400_000_000_000), ("1970-01-01T01:02:03Z", 3_723_000_000_000),
            ("1970-01-01T00:00:00.25", 250_000_000), ("1970-01-01T00:00:00.1234567899Z", 123_456_789),
            ("1969-12-31T23:59:59.999Z", -1_000_000), ("2026-11-20T12:00:00.000Z", 1_795_176_000_000_000_000),
        ] as [(String, Int64)])
    func `an ISO 8601 time in UTC is read`(text: String, nanoseconds: Int64) {
        #expect(UTCInstant(iso8601: text) == UTCInstant(nanoseconds: nanoseconds))
    }

    @Test(arguments: [
        "", "1970", "1970-1-1", "1970-02-30", "1970-01-01 01:02", "1970-01-01T", "1970-01-01T01", "1970-01-01T24:00",
        "1970-01-01T01:60", "1970-01-01T01:02:60", "1970-01-01T01:02:03.", "1970-01-01T01:02:03.x", "1970-01-01T1:02",
        "1970-01-01T01:02+01:00", "1970-01-01T01:02:03:04", "1677-01-01", "2262-01-01", "1970-01-01T+1:02",
        "1970-01-01T01:02ZZ",
    ])
    func `a time in another format is refused`(text: String) {
        #expect(UTCInstant(iso8601: text) == nil)
    }

    @Test func `GPS time was 14 seconds ahead of UTC in 2007, and is 18 seconds ahead since 2017`() throws {
        #expect(LeapSeconds.gpsMinusUTC(on: try #require(CivilDate(year: 2007, month: 12, day: 23))) == 14)
        #expect(LeapSeconds.gpsMinusUTC(on: try #require(CivilDate(year: 2016, month: 12, day: 31))) == 17)
        #expect(LeapSeconds.gpsMinusUTC(on: try #require(CivilDate(year: 2017, month: 1, day: 1))) == 18)
        #expect(LeapSeconds.gpsMinusUTC(on: try #require(CivilDate(year: 1980, month: 1, day: 6))) == 0)
    }

    @Test func `a GPS week and time of week convert to UTC`() throws {
        let time = GNSSTime(week: 2048, timeOfWeek: 18_000_000_000)
        let date = try #require(CivilDate(year: 2019, month: 4, day: 7))
        #expect(time.utc(leapSeconds: 18) == UTCInstant(date: date, timeOfDay: 0))
        #expect(LeapSeconds.gpsMinusUTC(at: time) == 18)
    }

    @Test func `a date 1024 weeks early is moved to the period nearest the reference`() throws {
        let wrapped = UTCInstant(date: try #require(CivilDate(year: 1999, month: 8, day: 22)), timeOfDay: 5)
        let now = UTCInstant(date: try #require(CivilDate(year: 2020, month: 1, day: 1)), timeOfDay: 0)
        let mended = WeekRollover.snap(wrapped, toward: now)
        #expect(mended == UTCInstant(date: try #require(CivilDate(year: 2019, month: 4, day: 7)), timeOfDay: 5))
        #expect(WeekRollover.snap(mended, toward: now) == mended)
        #expect(WeekRollover.snap(mended, toward: wrapped) == wrapped)
    }

    @Test func `a date is mended towards any other, the first and the last that can be written among them`() {
        let ends: [Int64] = [.min, .min + 1, -1, 0, 1, 1_790_000_000_000_000_000, .max]
        for date in ends {
            for reference in ends {
                let (instant, near) = (UTCInstant(nanoseconds: date), UTCInstant(nanoseconds: reference))
                let mended = WeekRollover.snap(instant, toward: near)
                _ = DateReference.notAfter(near).mended(instant)
                guard date.magnitude < 1 << 62, reference.magnitude < 1 << 62 else { continue }
                #expect(mended.nanoseconds(since: near).magnitude <= 309_657_600_000_000_000)
            }
        }
    }

    @Test func `rounding to the millisecond carries into the second`() {
        #expect(UTCInstant(nanoseconds: 999_999_872).roundedToMillisecond.nanoseconds == 1_000_000_000)
        #expect(UTCInstant(nanoseconds: -1_400_000).roundedToMillisecond.nanoseconds == -1_000_000)
    }
}
