import GNSS
import SextantUnits
import Testing
import UBX

@Suite("The other navigation messages")
struct NavigationTests {
    @Test func `lengths other than the documented ones are refused`() {
        expectOnlyLengths([20], NavPOSECEF.self)
        expectOnlyLengths([28], NavPOSLLH.self)
        expectOnlyLengths([16], NavSTATUS.self)
        expectOnlyLengths([18], NavDOP.self)
        expectOnlyLengths([52], NavSOL.self)
        expectOnlyLengths([20], NavVELECEF.self)
        expectOnlyLengths([36], NavVELNED.self)
        expectOnlyLengths([36], NavHPPOSLLH.self)
        expectOnlyLengths([16], NavTIMEGPS.self)
        expectOnlyLengths([20], NavTIMEUTC.self)
        expectOnlyLengths([24], NavTIMELS.self)
        expectOnlyLengths([4], NavEOE.self)
        expectOnlyLengths([72], HnrPVT.self)
    }

    @Test func `the fields of NAV-POSECEF and NAV-VELECEF are at their documented offsets`() throws {
        let position = try NavPOSECEF(bytes: counting(20))
        #expect(position.timeOfWeekMilliseconds == counted(0))
        #expect((position.xCentimetres, position.yCentimetres) == (counted(4), counted(8)))
        #expect((position.zCentimetres, position.positionAccuracyCentimetres) == (counted(12), counted(16)))
        let velocity = try NavVELECEF(bytes: counting(20))
        #expect(velocity.timeOfWeekMilliseconds == counted(0))
        #expect(velocity.velocityXCentimetresPerSecond == counted(4))
        #expect(velocity.velocityYCentimetresPerSecond == counted(8))
        #expect(velocity.velocityZCentimetresPerSecond == counted(12))
        #expect(velocity.speedAccuracyCentimetresPerSecond == counted(16))
        try expectRoundTrip(position)
        try expectRoundTrip(velocity)
    }

    @Test func `the fields of NAV-POSLLH are at their documented offsets, and its position is checked`() throws {
        let payload = counting(28).putting(Int32(-5), at: 4).putting(Int32(900_000_000), at: 8)
        let message = try NavPOSLLH(bytes: payload)
        #expect((message.longitudeE7, message.latitudeE7) == (-5, 900_000_000))
        #expect(message.heightAboveEllipsoidMillimetres == counted(12))
        #expect(message.altitudeAboveMeanSeaLevelMillimetres == counted(16))
        #expect(message.horizontalAccuracyMillimetres == counted(20))
        #expect(message.verticalAccuracyMillimetres == counted(24))
        try expectRoundTrip(message)
        #expect(throws: UBXPayloadError.outOfRange(field: .lat, value: 900_000_001)) {
            try NavPOSLLH(bytes: payload.putting(Int32(900_000_001), at: 8))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .lon, value: -1_800_000_001)) {
            try NavPOSLLH(bytes: payload.putting(Int32(-1_800_000_001), at: 4))
        }
    }

    @Test func `the fields of NAV-STATUS are at their documented offsets`() throws {
        let payload = counting(16).putting(UInt32(0x9D_02_05_05), at: 4)
        let message = try NavSTATUS(bytes: payload)
        #expect(message.fixType == .timeOnly)
        #expect(message.isFixOK && !message.isDifferential && message.isWeekNumberValid && !message.isTimeOfWeekValid)
        #expect(message.isCarrierSolutionValid)
        #expect((message.powerSaveState, message.carrierSolution) == (.tracking, .fixed))
        #expect(message.timeToFirstFixMilliseconds == counted(8))
        #expect(message.timeSinceStartMilliseconds == counted(12))
        try expectRoundTrip(message)
        #expect(throws: UBXPayloadError.outOfRange(field: .gpsFix, value: 6)) {
            try NavSTATUS(bytes: payload.putting(UInt8(6), at: 4))
        }
    }

    @Test func `the fields of NAV-DOP are at their documented offsets`() throws {
        let message = try NavDOP(bytes: counting(18))
        #expect((message.geometricE2, message.positionE2, message.timeE2) == (counted(4), counted(6), counted(8)))
        #expect((message.verticalE2, message.horizontalE2) == (counted(10), counted(12)))
        #expect((message.northingE2, message.eastingE2) == (counted(14), counted(16)))
        try expectRoundTrip(message)
    }

    @Test func `the fields of NAV-SOL are at their documented offsets`() throws {
        let payload = counting(52).putting(Int32(-500_000), at: 4).putting(UInt16(0x0D03), at: 10)
        let message = try NavSOL(bytes: payload)
        #expect((message.timeOfWeekFractionNanoseconds, message.week) == (-500_000, counted(8)))
        #expect((message.fixType, message.flags) == (.threeD, 0x0D))
        #expect(message.isFixOK && !message.isDifferential && message.isWeekNumberValid && message.isTimeOfWeekValid)
        #expect((message.xCentimetres, message.yCentimetres) == (counted(12), counted(16)))
        #expect((message.zCentimetres, message.positionAccuracyCentimetres) == (counted(20), counted(24)))
        #expect(message.velocityXCentimetresPerSecond == counted(28))
        #expect(message.velocityYCentimetresPerSecond == counted(32))
        #expect(message.velocityZCentimetresPerSecond == counted(36))
        #expect(message.speedAccuracyCentimetresPerSecond == counted(40))
        #expect((message.positionDOPE2, message.satellitesUsed) == (counted(44), 47))
        try expectRoundTrip(message)
        #expect(throws: UBXPayloadError.outOfRange(field: .gpsFix, value: 9)) {
            try NavSOL(bytes: payload.putting(UInt8(9), at: 10))
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .fTOW, value: 500_001)) {
            try NavSOL(bytes: payload.putting(Int32(500_001), at: 4))
        }
        #expect(
            try NavSOL(bytes: payload.putting(Int32.max, at: 4).putting(UInt8(0), at: 11)).isTimeOfWeekValid == false)
    }

    @Test func `the fields of NAV-VELNED are at their documented offsets`() throws {
        let message = try NavVELNED(bytes: counting(36))
        #expect(message.velocityNorthCentimetresPerSecond == counted(4))
        #expect(message.velocityEastCentimetresPerSecond == counted(8))
        #expect(message.velocityDownCentimetresPerSecond == counted(12))
        #expect(message.speedCentimetresPerSecond == counted(16))
        #expect(message.groundSpeedCentimetresPerSecond == counted(20))
        #expect(message.courseOverGroundE5 == counted(24))
        #expect(message.speedAccuracyCentimetresPerSecond == counted(28))
        #expect(message.courseAccuracyE5 == counted(32))
        try expectRoundTrip(message)
    }

    @Test func `NAV-HPPOSLLH adds its high-precision parts`() throws {
        var payload = counting(36).putting(UInt32(0), at: 0)
        payload.put(Int32(-1_234_567), at: 8)
        payload.put(Int32(481_234_567), at: 12)
        payload.put(Int32(-20), at: 16)
        payload.put(Int32(30), at: 20)
        payload.put(Int8(-99), at: 24)
        payload.put(Int8(99), at: 25)
        payload.put(Int8(-9), at: 26)
        payload.put(Int8(9), at: 27)
        let message = try NavHPPOSLLH(bytes: payload)
        #expect(message.timeOfWeekMilliseconds == counted(4))
        #expect((message.longitudeE9, message.latitudeE9) == (-123_456_799, 48_123_456_799))
        #expect(message.heightAboveEllipsoidTenthMillimetres == -209)
        #expect(message.altitudeAboveMeanSeaLevelTenthMillimetres == 309)
        #expect(message.horizontalAccuracyTenthMillimetres == counted(28))
        #expect(message.verticalAccuracyTenthMillimetres == counted(32))
        try expectRoundTrip(message)
        let refusals: [(UBXField, Int, Int8)] = [
            (.version, 0, 1), (.lonHp, 24, 100), (.latHp, 25, -100), (.heightHp, 26, 10), (.hMSLHp, 27, -10),
        ]
        for (field, offset, value) in refusals {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: Int64(value))) {
                try NavHPPOSLLH(bytes: payload.putting(value, at: offset))
            }
        }
        let disowned = payload.putting(UInt8(1), at: 3).putting(Int8(100), at: 24).putting(Int32.max, at: 8)
        #expect(try NavHPPOSLLH(bytes: disowned).isPositionInvalid)
    }

    @Test func `the fields of NAV-TIMEGPS are at their documented offsets`() throws {
        var payload = counting(16).putting(UInt32(345_600_000), at: 0).putting(Int32(-500), at: 4)
        payload.put(Int16(2400), at: 8)
        payload.put(Int8(18), at: 10)
        payload[11] = 0x07
        let message = try NavTIMEGPS(bytes: payload)
        #expect((message.timeOfWeekMilliseconds, message.timeOfWeekFractionNanoseconds) == (345_600_000, -500))
        #expect(message.week == 2400 && message.isTimeOfWeekValid && message.isWeekValid)
        #expect((message.leapSeconds, message.areLeapSecondsValid) == (18, true))
        #expect(message.timeAccuracyNanoseconds == counted(12))
        try expectRoundTrip(message)
        #expect(try !NavTIMEGPS(bytes: payload.putting(UInt8(0x01), at: 11)).isWeekValid)
        #expect(throws: UBXPayloadError.outOfRange(field: .fTOW, value: -500_001)) {
            try NavTIMEGPS(bytes: payload.putting(Int32(-500_001), at: 4))
        }
    }

    @Test func `NAV-TIMEUTC gives an instant, and a leap second is the next minute`() throws {
        var payload = counting(20).putting(Int32(0), at: 8).putting(UInt16(2016), at: 12)
        payload.replaceSubrange(14..<20, with: [12, 31, 23, 59, 60, 0x37])
        let message = try NavTIMEUTC(bytes: payload)
        let newYear = try #require(CivilDate(year: 2017, month: 1, day: 1))
        #expect(message.utc == UTCInstant(date: newYear, timeOfDay: 0))
        #expect(
            message.isUTCValid && message.isTimeOfWeekValid && message.isWeekNumberValid && message.utcStandard == 3)
        #expect(message.timeAccuracyNanoseconds == counted(4))
        try expectRoundTrip(message)
        let refusals: [(UBXField, Int, UInt8)] = [
            (.month, 14, 13), (.day, 15, 0), (.hour, 16, 24), (.min, 17, 60), (.sec, 18, 61),
        ]
        for (field, offset, value) in refusals {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: Int64(value))) {
                try NavTIMEUTC(bytes: payload.putting(value, at: offset))
            }
            #expect(try NavTIMEUTC(bytes: payload.putting(value, at: offset).putting(UInt8(0), at: 19)).utc == nil)
        }
    }

    @Test func `the fields of NAV-TIMELS and NAV-EOE are at their documented offsets`() throws {
        let leap = try NavTIMELS(bytes: counting(24).putting(UInt8(0), at: 4).putting(UInt8(1), at: 23))
        #expect((leap.sourceOfCurrent, leap.leapSeconds, leap.sourceOfChange, leap.change) == (8, 9, 10, 11))
        #expect((leap.secondsToEvent, leap.eventWeek, leap.eventDay) == (counted(12), counted(16), counted(18)))
        #expect(leap.areLeapSecondsValid && !leap.isEventValid)
        try expectRoundTrip(leap)
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 4)) { try NavTIMELS(bytes: counting(24)) }
        #expect(throws: UBXPayloadError.outOfRange(field: .lsChange, value: 11)) {
            try NavTIMELS(bytes: counting(24).putting(UInt8(0), at: 4).putting(UInt8(3), at: 23))
        }

        #expect(try NavEOE(bytes: counting(4)).timeOfWeekMilliseconds == counted(0))
        try expectRoundTrip(NavEOE(timeOfWeekMilliseconds: 604_799_000))
    }

    @Test func `the fields of HNR-PVT are at their documented offsets`() throws {
        var payload = counting(72).putting(UInt16(2026), at: 4).putting(UInt8(0x03), at: 11)
        payload.put(Int32(0), at: 12)
        payload[16] = 4
        payload.put(Int32(7), at: 20)
        payload.put(Int32(8), at: 24)
        let message = try HnrPVT(bytes: payload)
        #expect((message.month, message.day, message.hour, message.minute, message.second) == (6, 7, 8, 9, 10))
        #expect((message.fixType, message.fixFlags) == (.gnssPlusDeadReckoning, 17))
        #expect(message.isFixOK && !message.isDifferential && message.isVehicleHeadingValid)
        #expect((message.longitudeE7, message.latitudeE7) == (7, 8))
        #expect(message.heightAboveEllipsoidMillimetres == counted(28))
        #expect(message.altitudeAboveMeanSeaLevelMillimetres == counted(32))
        #expect(message.groundSpeedMillimetresPerSecond == counted(36))
        #expect(message.speedMillimetresPerSecond == counted(40))
        #expect((message.courseOverGroundE5, message.vehicleHeadingE5) == (counted(44), counted(48)))
        #expect(message.horizontalAccuracyMillimetres == counted(52))
        #expect(message.verticalAccuracyMillimetres == counted(56))
        #expect(message.speedAccuracyMillimetresPerSecond == counted(60))
        #expect(message.courseAccuracyE5 == counted(64))
        #expect(message.utc != nil)
        try expectRoundTrip(message)
        let refusals: [(UBXField, Int, UInt8)] = [(.gpsFix, 16, 6), (.month, 6, 0), (.hour, 8, 24)]
        for (field, offset, value) in refusals {
            #expect(throws: UBXPayloadError.outOfRange(field: field, value: Int64(value))) {
                try HnrPVT(bytes: payload.putting(value, at: offset))
            }
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .lat, value: -900_000_001)) {
            try HnrPVT(bytes: payload.putting(Int32(-900_000_001), at: 24))
        }
    }
}
