import GNSS
import Testing
import UBX

@Suite("NAV-SAT, NAV-SVINFO and NAV-ORB")
struct SkyTests {
    static let header: [UInt8] = [0x01, 0x02, 0x03, 0x04, 1, 2, 0, 0]
    /// Galileo 11 used with ephemeris; GLONASS with no slot, not tracked, direction unknown.
    static let sat: [UInt8] =
        header + [2, 11, 41, 77, 0x67, 0x01, 0xFB, 0xFF, 0x1F, 0x09, 0, 0]
        + [6, 255, 0, 0xA5, 0, 0, 0, 0, 0x21, 0, 0, 0]

    @Test func `NAV-SAT gives the satellites in its payload`() throws {
        let sky = try NavSAT(payload: Self.sat.span)
        #expect(sky.timeOfWeekMilliseconds == 0x0403_0201)
        #expect(sky.count == 2)
        let first = try #require(sky.satellite(at: 0, in: Self.sat))
        #expect(first.id == SatelliteID(.galileo, 11))
        #expect((first.carrierToNoise, first.elevation, first.azimuth) == (41, 77, 359))
        #expect(first.pseudorangeResidualDecimetres == -5)
        #expect((first.quality, first.isUsed, first.health, first.hasEphemeris) == (7, true, .healthy, true))
        let second = try #require(sky.satellite(at: 1, in: Self.sat))
        #expect(second.id == SatelliteID(.glonass, 255))
        #expect((second.carrierToNoise, second.elevation, second.azimuth) == (nil, nil, nil))
        #expect((second.quality, second.isUsed, second.health, second.hasEphemeris) == (1, false, .unhealthy, false))
    }

    @Test func `an encoded NAV-SAT reads back`() throws {
        let sky = try NavSAT(payload: Self.sat.span)
        let satellites = (0..<sky.count).compactMap { sky.satellite(at: $0, in: Self.sat.span) }
        var frame: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: 0x0403_0201, satellites: satellites.span, into: &frame)
        #expect(UBXFraming.match(frame.span) == .frame(length: frame.count))
        let payload = frame.span.extracting(UBXFraming.payloadRange(frameLength: frame.count))
        #expect(try NavSAT(payload: payload) == sky)
        for index in 0..<sky.count { #expect(sky.satellite(at: index, in: payload) == satellites[index]) }
    }

    @Test func `a satellite of an unknown system is skipped`() throws {
        var payload = Self.sat
        payload[8] = 9
        #expect(try NavSAT(bytes: payload).satellite(at: 0, in: payload) == nil)
    }

    @Test(arguments: [(90, Int16?(90)), (-90, -90), (91, nil), (-91, nil), (-128, nil), (127, nil)])
    func `an elevation above 90 degrees is unknown, and its azimuth too`(degrees: Int, expected: Int16?) throws {
        var payload = Self.sat
        payload[11] = UInt8(bitPattern: Int8(degrees))
        let satellite = try #require(try NavSAT(bytes: payload).satellite(at: 0, in: payload))
        #expect(satellite.elevation == expected)
        #expect((satellite.azimuth == nil) == (expected == nil))
    }

    @Test(arguments: [(Int16(0), Int16?(0)), (359, 359), (360, 0), (361, nil), (-1, nil)])
    func `an azimuth of 360 degrees is north, and a larger one is unknown`(degrees: Int16, expected: Int16?) throws {
        let payload = Self.sat.putting(degrees, at: 12)
        #expect(try NavSAT(bytes: payload).satellite(at: 0, in: payload)?.azimuth == expected)
    }

    @Test func `a length that does not match the count is refused`() {
        #expect(throws: UBXPayloadError.wrongLength(expected: 8, actual: 7)) {
            try NavSAT(payload: Self.sat.span.extracting(0..<7))
        }
        for count in [8, 20, 31] {
            #expect(throws: UBXPayloadError.wrongLength(expected: 32, actual: count)) {
                try NavSAT(payload: Self.sat.span.extracting(0..<count))
            }
        }
        #expect(throws: UBXPayloadError.wrongLength(expected: 32, actual: 33)) {
            try NavSAT(payload: (Self.sat + [0]).span)
        }
        #expect(throws: UBXPayloadError.outOfRange(field: .version, value: 0)) {
            try NavSAT(payload: Self.sat.putting(UInt8(0), at: 4).span)
        }
    }

    @Test func `NAV-SAT holds at most 255 satellites`() throws {
        let many = [Satellite](repeating: Satellite(id: SatelliteID(.gps, 1)), count: 300)
        var frame: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: 0, satellites: many.span, into: &frame)
        #expect(frame.count == 8 + 8 + 255 * 12)
        #expect(UBXFraming.match(frame.span) == .frame(length: frame.count))
    }

    /// GPS 5 used, healthy, ephemeris; 40 dB-Hz, 45°, 300°, residual -123 cm.
    static let svinfo: [UInt8] =
        [0x01, 0x02, 0x03, 0x04, 1, 4, 0, 0] + [9, 5, 0x0D, 0xF7, 40, 45, 0x2C, 0x01, 0x85, 0xFF, 0xFF, 0xFF]

    @Test func `NAV-SVINFO gives the satellites in its payload`() throws {
        let sky = try NavSVINFO(payload: Self.svinfo.span)
        #expect((sky.timeOfWeekMilliseconds, sky.count, sky.globalFlags) == (0x0403_0201, 1, 4))
        let satellite = try #require(sky.satellite(at: 0, in: Self.svinfo))
        #expect(satellite.id == SatelliteID(.gps, 5))
        #expect((satellite.isUsed, satellite.health, satellite.hasEphemeris) == (true, .healthy, true))
        #expect((satellite.quality, satellite.carrierToNoise) == (7, 40))
        #expect((satellite.elevation, satellite.azimuth) == (45, 300))
        #expect(satellite.pseudorangeResidualDecimetres == -12)
        let unhealthy = Self.svinfo.putting(UInt8(0x10), at: 10)
        #expect(sky.satellite(at: 0, in: unhealthy)?.health == .unhealthy)
        #expect(sky.satellite(at: 0, in: unhealthy)?.isUsed == false)
        #expect(throws: UBXPayloadError.wrongLength(expected: 20, actual: 19)) {
            try NavSVINFO(payload: Self.svinfo.span.extracting(0..<19))
        }
        #expect(throws: UBXPayloadError.wrongLength(expected: 8, actual: 0)) {
            try NavSVINFO(payload: Self.svinfo.span.extracting(0..<0))
        }
    }

    static let numbers: [(Int, SatelliteID?)] = [
        (1, SatelliteID(.gps, 1)), (32, SatelliteID(.gps, 32)), (33, SatelliteID(.beidou, 6)),
        (64, SatelliteID(.beidou, 37)), (65, SatelliteID(.glonass, 1)), (96, SatelliteID(.glonass, 32)),
        (120, SatelliteID(.sbas, 120)), (158, SatelliteID(.sbas, 158)), (159, SatelliteID(.beidou, 1)),
        (163, SatelliteID(.beidou, 5)), (173, SatelliteID(.imes, 1)), (182, SatelliteID(.imes, 10)),
        (193, SatelliteID(.qzss, 1)), (202, SatelliteID(.qzss, 10)), (211, SatelliteID(.galileo, 1)),
        (246, SatelliteID(.galileo, 36)), (255, SatelliteID(.glonass, 255)),
    ]

    static let strangers = [0, 97, 119, 164, 172, 183, 192, 203, 210, 247, 254].map { ($0, SatelliteID?.none) }

    @Test(arguments: numbers + strangers)
    func `a single-byte satellite number gives the system and number`(number: Int, expected: SatelliteID?) throws {
        let payload = Self.svinfo.putting(UInt8(number), at: 9)
        #expect(try NavSVINFO(bytes: payload).satellite(at: 0, in: payload)?.id == expected)
    }
}
