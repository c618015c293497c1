import GNSS
import SextantUnits
import Testing
import UBX

@Suite("NAV-PVT")
struct NavPVTTests {
    /// A counting payload with the fields that have ranges made right.
    static var whole: [UInt8] {
        var payload = counting(92)
        payload[11] = 0x03
        payload.put(UInt16(2026), at: 4)
        payload.put(Int32(-250_000_000), at: 16)
        payload[20] = 3
        payload.put(Int32(-1_799_999_999), at: 24)
        payload.put(Int32(481_234_567), at: 28)
        return payload
    }

    @Test func `every field is at its documented offset`() throws {
        let pvt = try NavPVT(bytes: Self.whole)
        #expect(pvt.timeOfWeekMilliseconds == counted(0))
        #expect((pvt.year, pvt.month, pvt.day) == (2026, 6, 7))
        #expect((pvt.hour, pvt.minute, pvt.second) == (8, 9, 10))
        #expect(pvt.timeAccuracyNanoseconds == counted(12))
        #expect(pvt.nanosecond == -250_000_000)
        #expect(pvt.fixType == .threeD)
        #expect((pvt.fixFlags, pvt.confirmationFlags, pvt.satellitesUsed) == (21, 22, 23))
        #expect((pvt.longitudeE7, pvt.latitudeE7) == (-1_799_999_999, 481_234_567))
        #expect(pvt.heightAboveEllipsoidMillimetres == counted(32))
        #expect(pvt.altitudeAboveMeanSeaLevelMillimetres == counted(36))
        #expect(pvt.horizontalAccuracyMillimetres == counted(40))
        #expect(pvt.verticalAccuracyMillimetres == counted(44))
        #expect(pvt.velocityNorthMillimetresPerSecond == counted(48))
        #expect(pvt.velocityEastMillimetresPerSecond == counted(52))
        #expect(pvt.velocityDownMillimetresPerSecond == counted(56))
        #expect(pvt.groundSpeedMillimetresPerSecond == counted(60))
        #expect(pvt.courseOverGroundE5 == counted(64))
        #expect(pvt.speedAccuracyMillimetresPerSecond == counted(68))
        #expect(pvt.courseAccuracyE5 == counted(72))
        #expect(pvt.positionDOPE2 == counted(76))
        #expect(pvt.correctionFlags == counted(78))
        #expect(pvt.vehicleHeadingE5 == counted(84))
        #expect(pvt.magneticDeclinationE2 == counted(88))
        #expect(pvt.magneticDeclinationAccuracyE2 == counted(90))
    }

    @Test func `the short form lacks vehicle heading and declination`() throws {
        let pvt = try NavPVT(bytes: Array(Self.whole.prefix(84)))
        #expect(pvt.vehicleHeadingE5 == nil)
        #expect(pvt.magneticDeclinationE2 == nil)
        #expect(pvt.magneticDeclinationAccuracyE2 == nil)
        #expect(pvt.positionDOPE2 == counted(76))
        try expectRoundTrip(pvt)
        #expect(pvt.payload.count == 84)
    }

    @Test func `a frame that was encoded reads back`() throws {
        var pvt = try NavPVT(bytes: Self.whole)
        pvt.isFixOK = true
        pvt.setPowerSaveState(.powerOptimizedTracking)
        try expectRoundTrip(pvt)
        #expect(pvt.powerSaveState == .powerOptimizedTracking)
    }

    @Test func `any other length is refused`() { expectOnlyLengths([84, 92], NavPVT.self) }

    @Test(arguments: [
        (UBXField.fixType, 20, 1, Int64(6)), (.lat, 28, 4, 900_000_001), (.lat, 28, 4, -900_000_001),
        (.lon, 24, 4, 1_800_000_001), (.lon, 24, 4, -1_800_000_001), (.month, 6, 1, 0), (.month, 6, 1, 13),
        (.day, 7, 1, 0), (.day, 7, 1, 32), (.hour, 8, 1, 24), (.min, 9, 1, 60), (.sec, 10, 1, 61),
        (.nano, 16, 4, 1_000_000_001), (.nano, 16, 4, -1_000_000_001),
    ])
    func `a value out of range is refused with its field`(field: UBXField, offset: Int, size: Int, value: Int64) {
        var payload = Self.whole.putting(UInt16(0), at: 78)
        if size == 1 { payload[offset] = UInt8(value) } else { payload.put(Int32(value), at: offset) }
        #expect(throws: UBXPayloadError.outOfRange(field: field, value: value)) { try NavPVT(bytes: payload) }
    }

    @Test func `date, time and position are not checked when the receiver marks them invalid`() throws {
        var payload = Self.whole
        payload[11] = 0
        payload[6] = 0
        payload[8] = 99
        payload.put(UInt16(1), at: 78)
        payload.put(Int32.min, at: 28)
        let pvt = try NavPVT(bytes: payload)
        #expect(pvt.isPositionInvalid && !pvt.isDateValid && !pvt.isTimeValid)
        #expect(pvt.utc == nil)
    }

    @Test func `a negative fraction belongs to the previous second`() throws {
        let date = try #require(CivilDate(year: 2026, month: 6, day: 7))
        let time: Int64 = (8 * 3600 + 9 * 60 + 10) * 1_000_000_000 - 250_000_000
        #expect(try NavPVT(bytes: Self.whole).utc == UTCInstant(date: date, timeOfDay: time))
    }

    @Test func `each flag is its own bit`() throws {
        var pvt = NavPVT()
        for bit in 0..<8 {
            pvt.validityFlags = 1 << bit
            #expect(pvt.isDateValid == (bit == 0) && pvt.isTimeValid == (bit == 1))
            #expect(pvt.isTimeFullyResolved == (bit == 2) && pvt.isMagneticDeclinationValid == (bit == 3))
            pvt.fixFlags = 1 << bit
            #expect(pvt.isFixOK == (bit == 0) && pvt.isDifferential == (bit == 1))
            #expect(pvt.isVehicleHeadingValid == (bit == 5))
            pvt.correctionFlags = 1 << bit
            #expect(pvt.isPositionInvalid == (bit == 0))
        }
        pvt.fixFlags = 0b1010_1100
        #expect(pvt.powerSaveState == .tracking && pvt.carrierSolution == .fixed)
        var payload = [UInt8](repeating: 0, count: 92)
        payload[21] = pvt.fixFlags
        #expect(NavPVT.powerSaveState(in: payload.span) == .tracking)
        #expect(NavPVT.powerSaveState(in: payload.span.extracting(..<90)) == nil)
    }
}
