import Epochs
import GNSS
import SextantUnits
import Testing
import UBX

@Suite("Dates and times of epochs")
struct DateTests {
    @Test func `the first epoch after midnight is delivered, with GGA first`() throws {
        var listener = Listener()
        for second in 86_395..<86_405 {
            let time = clock(second % 86_400)
            try listener.hear(gga(time), gsa, rmc(time, date: second < 86_400 ? "200926" : "210926"))
        }
        listener.finish()
        #expect(listener.epochs.count == 10)
        for (index, epoch) in listener.epochs.enumerated() {
            #expect(epoch.fix.time == day(2026, 9, 20, seconds: Int64(86_395 + index)))
            #expect(epoch.fix.altitudeAboveMeanSeaLevel == 499.6 && epoch.fix.speed != nil)
        }
    }

    @Test func `a time of day without a date continues over midnight`() throws {
        var listener = Listener()
        try listener.hear(rmc(clock(86_398)), gga(clock(86_398)))
        for second in 86_399..<86_403 { try listener.hear(gga(clock(second % 86_400)), gll(clock(second % 86_400))) }
        listener.finish()
        #expect(listener.epochs.map(\.fix.time) == (86_398..<86_403).map { day(2026, 9, 20, seconds: Int64($0)) })
    }

    @Test func `a new reference corrects the next epoch, also where the receiver repeats its date`() throws {
        var listener = Listener(reference: .near(day(2038, 11, 21)))
        try listener.hear(rmc(clock(10), date: "220899"))
        listener.silence()
        listener.setReference(.near(day(2019, 4, 7)))
        try listener.hear(rmc(clock(11), date: "220899"))
        listener.finish()
        let times = listener.epochs.map(\.fix.time)
        #expect(times == [day(2038, 11, 21, seconds: 10), day(2019, 4, 7, seconds: 11)])
    }

    @Test func `an epoch at exactly midnight is delivered, even as the first one`() throws {
        var listener = Listener()
        try listener.hear(gga("000000.000"), rmc("000000.000"))
        try listener.hear(gga("000001.000"), rmc("000001.000"))
        listener.finish()
        #expect(listener.epochs.map(\.fix.time) == [day(2026, 9, 20), day(2026, 9, 20, seconds: 1)])
    }

    @Test func `a time of day without a known date gives no time`() throws {
        var listener = Listener()
        for second in 0..<3 { try listener.hear(gga(clock(second))) }
        listener.finish()
        #expect(listener.epochs.count == 3)
        #expect(listener.epochs.allSatisfy { $0.fix.time == nil && $0.fix.hasPosition && !$0.fix.isTimeValidated })
    }

    @Test func `the leap second is an epoch of its own, at the next midnight`() throws {
        var listener = Listener(reference: .near(day(2016, 12, 31)))
        for time in ["235958.00", "235959.00", "235960.00"] { try listener.hear(gga(time), rmc(time, date: "311216")) }
        for time in ["000000.00", "000001.00"] { try listener.hear(gga(time), rmc(time, date: "010117")) }
        listener.finish()
        let midnight = day(2017, 1, 1)
        let seconds: [Int64] = [-2, -1, 0, 0, 1]
        #expect(listener.epochs.map(\.fix.time) == seconds.map { midnight.advanced(byNanoseconds: $0 * 1_000_000_000) })
    }

    @Test(arguments: [
        ("040207", 2026, 9, 20), ("200926", 2026, 9, 20), ("220899", 2019, 4, 7), ("060180", 2019, 4, 7),
    ])
    func `a date 1024 weeks or more early is moved to the reference`(text: String, year: Int, month: Int, day: Int)
        throws
    {
        let reference = try #require(CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)))
        var listener = Listener(reference: .near(UTCInstant(date: reference, timeOfDay: 0)))
        try listener.hear(rmc("120000.00", date: text))
        listener.finish()
        #expect(listener.epochs.first?.fix.time == UTCInstant(date: reference, timeOfDay: 43_200_000_000_000))
    }

    @Test func `dates in a recording of unknown age are not later than the reference`() throws {
        var listener = Listener(reference: .notAfter(day(2026, 9, 20)))
        try listener.hear(rmc("120000.00", date: "111119"))
        try listener.hear(rmc("120001.00", date: "220899"))
        try listener.hear(rmc("120002.00", date: "010130"))
        listener.finish()
        let times = listener.epochs.map(\.fix.time)
        #expect(
            times == [
                day(2019, 11, 11, seconds: 43_200), day(2019, 4, 7, seconds: 43_201), day(2010, 5, 18, seconds: 43_202),
            ])
    }

    @Test func `a void date is not trusted, and never replaces a trusted one`() throws {
        var listener = Listener()
        try listener.hear(rmc("120000.00", date: "060180", valid: false))
        try listener.hear(rmc("120001.00"))
        try listener.hear(rmc("120002.00", date: "060180", valid: false))
        try listener.hear(rmc("120003.00"))
        listener.finish()
        #expect(listener.epochs.map(\.fix.isTimeValidated) == [false, true, false, true])
        #expect(listener.epochs.dropFirst().map(\.fix.time) == (1...3).map { day(2026, 9, 20, seconds: 43_200 + $0) })
    }

    @Test func `RUN-07: a date in 1980 is not trusted, whatever the receiver's status says`() throws {
        var listener = Listener()
        try listener.hear(rmc("120000.00", date: "060180"))
        try listener.hear(rmc("120001.00"))
        try listener.hear(rmc("120002.00", date: "060180"))
        listener.finish()
        #expect(listener.epochs.map(\.fix.isTimeValidated) == [false, true, false])
        #expect(listener.epochs.map(\.fix.hasPosition) == [true, true, true])
    }

    @Test(arguments: [
        "GPZDA,120000.00,31,02,2026,00,00", "GPZDA,120000.00,20,09,9999,00,00", "GPZDA,120000.00,20,09,0001,00,00",
    ])
    func `a malformed date is ignored`(body: String) throws {
        var listener = Listener()
        try listener.hear(body, gga("120000.00"))
        listener.finish()
        #expect(listener.epochs.count == 1)
        #expect(listener.epochs[0].fix.time == nil)
        #expect(listener.epochs[0].fix.hasPosition)
    }

    @Test func `ZDA dates an epoch`() throws {
        var listener = Listener()
        try listener.hear(gga("120000.00"), "GPZDA,120000.00,20,09,2026,00,00")
        listener.finish()
        #expect(listener.epochs.map(\.fix.time) == [day(2026, 9, 20, seconds: 43_200)])
        #expect(listener.epochs[0].fix.isTimeValidated)
    }

    @Test(arguments: [-32_768, -1, 14_701, 15_250, 32_767] as [Int16])
    func `an impossible week number gives no time`(week: Int16) throws {
        var solution = NavSOL()
        solution.fixType = .threeD
        solution.flags = 0x0D
        solution.week = week
        var listener = Listener()
        try listener.hear(solution)
        try listener.hear(
            NavTIMEGPS(
                timeOfWeekMilliseconds: 1000, timeOfWeekFractionNanoseconds: 0, week: week, leapSeconds: 18,
                validityFlags: 7, timeAccuracyNanoseconds: 1))
        listener.finish()
        #expect(listener.epochs.count == 2)
        #expect(listener.epochs.allSatisfy { $0.fix.time == nil && $0.fix.gnssTime == nil })
    }

    @Test func `a date that NAV-PVT does not validate is marked as not validated`() throws {
        var message = pvt(second: 43_200)
        message.isDateValid = false
        var listener = Listener()
        try listener.hear(message)
        listener.finish()
        #expect(listener.epochs[0].fix.time == day(2026, 9, 20, seconds: 43_200))
        #expect(!listener.epochs[0].fix.isTimeValidated)
    }
}
