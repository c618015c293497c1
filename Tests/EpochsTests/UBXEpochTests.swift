import Epochs
import Foundation
import GNSS
import SextantUnits
import Testing
import UBX

@Suite("Epochs of UBX messages")
struct UBXEpochTests {
    private static func satellites(_ count: Int) -> [Satellite] {
        (1...count).map { Satellite(id: SatelliteID(.gps, UInt8($0)), isUsed: $0 % 2 == 0) }
    }

    @Test func `NAV-EOE alone makes no epoch`() throws {
        var listener = Listener()
        try listener.hear(NavEOE(timeOfWeekMilliseconds: 1000))
        listener.silence()
        try listener.hear(NavEOE(timeOfWeekMilliseconds: 2000))
        listener.finish()
        #expect(listener.epochs.isEmpty)
    }

    @Test func `NAV-EOE closes the epoch at once, from the first one on`() throws {
        var listener = Listener()
        for second in 0..<3 {
            try listener.hear(pvt(second: 43_200 + second))
            var dilution = NavDOP()
            dilution.timeOfWeekMilliseconds = UInt32(43_218 + second) * 1000
            (dilution.positionE2, dilution.horizontalE2, dilution.verticalE2) = (194, 118, 9999)
            try listener.hear(dilution)
            try listener.hear(satellites: Self.satellites(4), timeOfWeek: dilution.timeOfWeekMilliseconds)
            #expect(listener.epochs.count == second)
            try listener.hear(NavEOE(timeOfWeekMilliseconds: dilution.timeOfWeekMilliseconds))
            #expect(listener.epochs.count == second + 1)
            let epoch = listener.epochs[second]
            #expect(epoch.fix.time == day(2026, 9, 20, seconds: Int64(43_200 + second)))
            #expect(epoch.fix.dilution.position == 1.94 && epoch.fix.dilution.vertical == nil)
            #expect(epoch.satellites.count == 4 && epoch.hasSky)
            #expect(epoch.fix.leapSeconds == 18 && epoch.fix.satellitesUsed == 9)
        }
    }

    @Test func `leap seconds that are told after their epoch are the next one's, and make none`() throws {
        var listener = Listener()
        for second in 0..<2 {
            try listener.hear(pvt(second: 43_200 + second))
            try listener.hear(NavEOE(timeOfWeekMilliseconds: UInt32(43_218 + second) * 1000))
            var leap = NavTIMELS()
            leap.timeOfWeekMilliseconds = UInt32(43_218 + second) * 1000
            (leap.sourceOfCurrent, leap.leapSeconds, leap.validityFlags) = (2, 18, 1)
            try listener.hear(leap)
        }
        listener.finish()
        #expect(listener.epochs.map { $0.leap?.isFromSatellites } == [nil, true])
    }

    @Test(arguments: [(5000, 5.0), (0, 0), (-1, nil), (Int32.min, nil)] as [(Int32, Double?)])
    func `a negative speed is none`(claimed: Int32, speed: Double?) throws {
        var listener = Listener()
        var message = pvt(second: 43_200)
        message.groundSpeedMillimetresPerSecond = claimed
        try listener.hear(message)
        listener.finish()
        #expect(listener.epochs.map(\.fix.speed) == [speed])
    }

    @Test func `a negative speed in an NMEA sentence is none`() throws {
        var listener = Listener()
        let sentence = rmc("120000.00").replacingOccurrences(of: ",10.0,", with: ",-10.0,")
        try listener.hear(sentence)
        listener.finish()
        #expect(listener.epochs.map(\.fix.speed) == [nil])
    }

    @Test func `NAV-SAT at 1 Hz never delays NAV-PVT at 5 Hz`() throws {
        var listener = Listener()
        for tick in 0..<50 {
            let message = pvt(second: 43_200 + tick / 5, millisecond: tick % 5 * 200)
            let before = listener.epochs.count
            try listener.hear(message)
            if tick >= 4 { #expect(listener.epochs.count == tick + 1 && before == tick, "tick \(tick)") }
            if tick % 5 == 0 {
                try listener.hear(satellites: Self.satellites(6), timeOfWeek: message.timeOfWeekMilliseconds)
            }
        }
        listener.finish()
        #expect(listener.epochs.count == 50)
        #expect(listener.epochs.filter(\.hasSky).count == 10)
    }

    @Test(arguments: [true, false])
    func `when both protocols report the same epoch, UBX takes precedence`(binaryFirst: Bool) throws {
        var listener = Listener()
        for second in 43_200..<43_206 {
            if binaryFirst { try listener.hear(pvt(second: second)) }
            try listener.hear(ublox(clock(second)))
            if !binaryFirst { try listener.hear(pvt(second: second)) }
        }
        listener.finish()
        #expect(listener.epochs.count == 6)
        for (index, epoch) in listener.epochs.enumerated() {
            #expect(epoch.fix.time == day(2026, 9, 20, seconds: Int64(43_200 + index)))
            #expect(epoch.fix.latitude == 47.2852 && epoch.fix.horizontalAccuracy == 1.5)
            #expect(epoch.fix.speed == 5 && epoch.fix.satellitesUsed == 9)
        }
    }

    @Test func `the time of week wraps at the week's end`() throws {
        var listener = Listener()
        for (index, timeOfWeek) in ([604_798_000, 604_799_000, 0, 1000] as [UInt32]).enumerated() {
            var message = pvt(second: 86_380 + index)
            (message.month, message.day) = (9, 19)
            message.timeOfWeekMilliseconds = timeOfWeek
            try listener.hear(message)
        }
        listener.finish()
        #expect(listener.epochs.map(\.fix.time) == (0..<4).map { day(2026, 9, 19, seconds: 86_380 + $0) })
    }

    @Test func `iTOW may jitter by milliseconds within an epoch`() throws {
        var listener = Listener()
        for second in 43_200..<43_203 {
            try listener.hear(pvt(second: second))
            var velocity = NavVELNED()
            velocity.timeOfWeekMilliseconds = UInt32(second + 18) * 1000 + 3
            try listener.hear(velocity)
        }
        listener.finish()
        #expect(listener.epochs.count == 3)
    }

    @Test func `a time-only fix at a surveyed position has that position`() throws {
        var message = pvt(second: 43_200, fixType: .timeOnly)
        message.positionDOPE2 = 150
        var listener = Listener()
        try listener.hear(message)
        listener.finish()
        let fix = try #require(listener.epochs.first).fix
        #expect(fix.type == .timeOnly && fix.quality == .surveyedTime && fix.hasPosition && fix.type.hasHeight)
        #expect(fix.latitude == 47.2852 && fix.altitudeAboveMeanSeaLevel == 499 && fix.dilution.position == 1.5)
    }

    @Test func `leap seconds are kept once known`() throws {
        var listener = Listener()
        try listener.hear(pvt(second: 43_200))
        var later = pvt(second: 43_201)
        later.isTimeFullyResolved = false
        try listener.hear(later)
        listener.finish()
        #expect(listener.epochs.map(\.fix.leapSeconds) == [18, 18])
    }

    @Test func `UBX and NMEA share one epoch, using the leap seconds of the recording's week`() throws {
        // Sunday, 23 December 2007, when GPS was ahead by 14 seconds.
        var listener = Listener(reference: .near(day(2007, 12, 23)), source: .recording)
        for second in 0..<4 {
            var solution = NavSOL()
            solution.timeOfWeekMilliseconds = UInt32(43_214 + second) * 1000
            solution.week = 1459
            solution.fixType = .threeD
            solution.flags = 0x0D
            solution.xCentimetres = 637_823_700
            try listener.hear(solution)
            try listener.hear(rmc(clock(43_200 + second), date: "231207"))
        }
        listener.finish()
        // The first epoch is the one to learn from.
        let expected = [1, 2, 3].map { day(2007, 12, 23, seconds: 43_200 + $0) }
        #expect(listener.epochs.suffix(3).map(\.fix.time) == expected)
        #expect(listener.epochs.count <= 5)
    }

    @Test func `a dilution of precision of 0, or of 90 and more, is unknown`() throws {
        var dilution = NavDOP()
        dilution.timeOfWeekMilliseconds = 43_218_000
        (dilution.positionE2, dilution.horizontalE2, dilution.verticalE2) = (0, 9000, 8999)
        var listener = Listener()
        try listener.hear(pvt(second: 43_200))
        try listener.hear(dilution)
        listener.finish()
        let known = listener.epochs[0].fix.dilution
        #expect(known.position == nil && known.horizontal == nil && known.vertical == 89.99)
    }

    @Test(arguments: [FixType.noFix, .timeOnly])
    func `an epoch without a position has no height, speed or course`(type: FixType) throws {
        var listener = Listener()
        var message = pvt(second: 43_200, fixType: type)
        message.isFixOK = false
        try listener.hear(message)
        listener.finish()
        let fix = try #require(listener.epochs.first).fix
        #expect(fix.type == .noFix && !fix.hasPosition)
        #expect(fix.latitude == nil && fix.longitude == nil && fix.altitudeAboveMeanSeaLevel == nil)
        #expect(fix.heightAboveEllipsoid == nil && fix.geoidSeparation == nil)
        #expect(fix.speed == nil && fix.courseOverGround == nil && fix.velocity == nil)
        #expect(fix.time == day(2026, 9, 20, seconds: 43_200))
    }

    @Test func `a position outside the receiver's own accuracy limits is not a fix`() throws {
        var message = pvt(second: 43_200)
        message.isFixOK = false
        var listener = Listener()
        try listener.hear(message)
        listener.finish()
        #expect(listener.epochs[0].fix.type == .noFix && listener.epochs[0].fix.latitude == nil)
    }

    @Test(
        arguments: [
            (0, 0.0), (-9_000_000, 270.0), (36_000_000, 0.0), (-36_000_000, 0.0), (35_999_999, 359.99999),
            (36_000_001, nil), (Int32.max, nil), (Int32.min, nil),
        ] as [(Int32, Double?)])
    func `a course is at least 0 and less than 360 degrees, or nil`(raw: Int32, expected: Double?) throws {
        var message = pvt(second: 43_200)
        message.courseOverGroundE5 = raw
        var listener = Listener()
        try listener.hear(message)
        listener.finish()
        let course = listener.epochs[0].fix.courseOverGround
        #expect((course == nil) == (expected == nil))
        if let course, let expected { #expect(abs(course - expected) < 1e-9 && (0..<360).contains(course)) }
    }

    @Test(arguments: [
        (FixType.threeD, UInt8(0x01), FixQuality.autonomous), (.threeD, 0x03, .differential),
        (.threeD, 0x83, .rtkFixed),
        (.threeD, 0x43, .rtkFloat), (.deadReckoningOnly, 0x01, .deadReckoning), (.timeOnly, 0x01, .surveyedTime),
        (.noFix, 0x00, .invalid), (.gnssPlusDeadReckoning, 0x01, .autonomous),
    ])
    func `the flags of NAV-PVT determine the fix quality`(type: FixType, flags: UInt8, expected: FixQuality) throws {
        var message = pvt(second: 43_200, fixType: type)
        message.fixFlags = flags
        var listener = Listener()
        try listener.hear(message)
        listener.finish()
        #expect(listener.epochs[0].fix.quality == expected)
    }

    @Test func `a NAV-SOL alone gives position and velocity`() throws {
        var solution = NavSOL()
        solution.timeOfWeekMilliseconds = 43_218_000
        solution.week = 2437
        solution.fixType = .threeD
        solution.flags = 0x0D
        // On the equator at 0° E, 100 m up, moving 3 m/s north and 4 m/s east.
        solution.xCentimetres = 637_823_700
        solution.velocityYCentimetresPerSecond = 400
        solution.velocityZCentimetresPerSecond = 300
        solution.speedAccuracyCentimetresPerSecond = 17
        var listener = Listener()
        try listener.hear(solution)
        listener.finish()
        let fix = try #require(listener.epochs.first).fix
        #expect(fix.latitude.map { abs($0) < 1e-9 } == true && fix.longitude.map { abs($0) < 1e-9 } == true)
        #expect(fix.heightAboveEllipsoid.map { abs($0 - 100) < 1e-3 } == true)
        // The geoid is 17.2 m above the ellipsoid here; the receiver says nothing of it.
        #expect(fix.altitudeAboveMeanSeaLevel.map { abs($0 - 82.8) < 1 } == true && fix.geoidSeparation == nil)
        #expect(fix.speed.map { abs($0 - 5) < 1e-9 } == true && fix.speedAccuracy == 0.17)
        #expect(fix.courseOverGround.map { abs($0 - 53.130_102_354) < 1e-6 } == true)
        #expect(fix.time == day(2026, 9, 20, seconds: 43_200))
    }

    @Test func `a damaged payload leaves the epoch unchanged`() throws {
        var listener = Listener()
        try listener.hear(pvt(second: 43_200))
        #expect(throws: UBXPayloadError.self) { try listener.hear(.navDOP, [0, 0, 0, 0]) }
        #expect(throws: UBXPayloadError.self) { try listener.hear(.navPVT, [UInt8](repeating: 0xFF, count: 92)) }
        listener.finish()
        #expect(listener.epochs.count == 1 && listener.epochs[0].fix.latitude == 47.2852)
    }
}
