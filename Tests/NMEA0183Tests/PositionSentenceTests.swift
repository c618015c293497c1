import GNSS
import NMEA0183
import SextantUnits
import Testing

@Suite("Sentences of position and time")
struct PositionSentenceTests {
    @Test func `reads GGA`() throws {
        let message = try gga("GPGGA,092725.00,4717.11399,N,00833.91590,E,1,08,1.01,499.6,M,48.0,M,1.5,0031")
        #expect(message.timeOfDay == 34_045_000_000_000)
        #expect(message.latitude == 47.2852331666666666)
        #expect(message.longitude == 8.5652650000000000)
        #expect(message.quality == .autonomous)
        #expect(message.satellitesUsed == 8)
        #expect(message.horizontalDilution == 1.01)
        #expect(message.altitudeAboveMeanSeaLevel == 499.6)
        #expect(message.geoidSeparation == 48)
        #expect(message.differentialAge == 1.5)
        #expect(message.differentialStation == 31)
    }

    @Test func `an empty field is nil, in every sentence`() throws {
        let empty = try gga("GPGGA,,,,,,,,,,,,,,")
        #expect(empty.timeOfDay == nil && empty.latitude == nil && empty.longitude == nil && empty.quality == nil)
        #expect(empty.satellitesUsed == nil && empty.horizontalDilution == nil && empty.geoidSeparation == nil)
        #expect(empty.altitudeAboveMeanSeaLevel == nil && empty.differentialAge == nil)
        let minimum = try rmc("GPRMC,,,,,,,,,,,")
        #expect(minimum.timeOfDay == nil && minimum.isValid == nil && minimum.latitude == nil)
        #expect(minimum.speedKnots == nil && minimum.courseOverGround == nil && minimum.date == nil)
        #expect(minimum.magneticVariation == nil && minimum.mode == nil)
        guard case .gll(let gll) = try Checked("GPGLL,,,,,,,").message() else { throw OtherSentence() }
        #expect(gll.timeOfDay == nil && gll.latitude == nil && gll.isValid == nil && gll.mode == nil)
        guard case .gns(let gns) = try Checked("GNGNS,,,,,,,,,,,,").message() else { throw OtherSentence() }
        #expect(gns.timeOfDay == nil && gns.latitude == nil && gns.mode == nil && gns.satellitesUsed == nil)
        guard case .vtg(let vtg) = try Checked("GPVTG,,,,,,,,,").message() else { throw OtherSentence() }
        #expect(vtg.courseOverGround == nil && vtg.speedKnots == nil && vtg.speedKilometresPerHour == nil)
        guard case .zda(let zda) = try Checked("GPZDA,,,,,,").message() else { throw OtherSentence() }
        #expect(zda.timeOfDay == nil && zda.date == nil)
        guard case .gst(let gst) = try Checked("GPGST,,,,,,,,").message() else { throw OtherSentence() }
        #expect(gst.timeOfDay == nil && gst.statistics.latitude == nil && gst.statistics.rangeRMS == nil)
    }

    @Test func `reads RMC`() throws {
        let message = try rmc("GNRMC,083559.00,A,4717.11437,S,00833.91522,W,0.004,77.52,091202,2.1,W,D,V")
        #expect(message.timeOfDay == 30_959_000_000_000)
        #expect(message.isValid == true)
        #expect(message.latitude == -47.285239500000000)
        #expect(message.longitude == -8.565253666666667)
        #expect(message.speedKnots == 0.004)
        #expect(message.courseOverGround == 77.52)
        #expect(message.date == CivilDate(year: 2002, month: 12, day: 9))
        #expect(message.magneticVariation == -2.1)
        #expect(message.mode == .differential)
    }

    @Test func `a magnetic variation of zero, or beyond 180 degrees, is nil`() throws {
        #expect(try rmc("GPRMC,083559.00,V,,,,,,,091202,999.9,E,N").magneticVariation == nil)
        #expect(try rmc("GPRMC,083559.00,V,,,,,,,091202,0.0,E,N").magneticVariation == nil)
        #expect(try rmc("GPRMC,083559.00,V,,,,,,,091202,4.5,,N").magneticVariation == nil)
        #expect(try rmc("GPRMC,083559.00,V,,,,,,,091202,4.5,E,N").magneticVariation == 4.5)
    }

    @Test(arguments: [
        ("311299", 1999, 12, 31), ("010180", 1980, 1, 1), ("311279", 2079, 12, 31), ("290224", 2024, 2, 29),
    ])
    func `a two-digit year is placed in the century that fits`(text: String, year: Int, month: Int, day: Int) throws {
        let date = try rmc("GPRMC,000000,A,,,,,,,\(text),,").date
        #expect(date == CivilDate(year: Int32(year), month: UInt8(month), day: UInt8(day)))
    }

    @Test(arguments: ["290223", "000000", "311300", "320101", "31129", "3112999", "3112a9"])
    func `a day that does not exist gives no date`(text: String) throws {
        #expect(try rmc("GPRMC,000000,A,,,,,,,\(text),,").date == nil)
    }

    @Test func `reads GLL, GNS, VTG and ZDA`() throws {
        guard case .gll(let gll) = try Checked("GPGLL,4717.11364,N,00833.91565,E,092321.00,V,N").message() else {
            throw OtherSentence()
        }
        #expect(gll.timeOfDay == 33_801_000_000_000 && gll.isValid == false && gll.mode == .notValid)
        #expect(gll.latitude == 47.285227333333333 && gll.longitude == 8.565260833333333)
        let body = "GNGNS,103600.01,5114.51176,N,00012.29380,W,ANNF,07,1.18,111.5,45.6,0.5,12,V"
        guard case .gns(let gns) = try Checked(body).message() else { throw OtherSentence() }
        #expect(gns.timeOfDay == 38_160_010_000_000 && gns.mode == .rtkFloat && gns.satellitesUsed == 7)
        #expect(gns.latitude == 51.241862666666667 && gns.longitude == -0.20489666666666667)
        #expect(gns.horizontalDilution == 1.18 && gns.altitudeAboveMeanSeaLevel == 111.5 && gns.geoidSeparation == 45.6)
        #expect(gns.differentialAge == 0.5 && gns.differentialStation == 12)
        guard case .vtg(let vtg) = try Checked("GPVTG,360.0,T,,M,0.5,N,0.926,K,E").message() else {
            throw OtherSentence()
        }
        #expect(vtg.courseOverGround == 0 && vtg.speedKnots == 0.5 && vtg.speedKilometresPerHour == 0.926)
        #expect(vtg.mode == .estimated)
        guard case .zda(let zda) = try Checked("GPZDA,201530.00,04,07,2002,00,00").message() else {
            throw OtherSentence()
        }
        #expect(zda.timeOfDay == 72_930_000_000_000 && zda.date == CivilDate(year: 2002, month: 7, day: 4))
    }

    @Test(arguments: ["0001", "1979", "2262", "9999"])
    func `a year beyond the range of an instant gives no date`(year: String) throws {
        guard case .zda(let zda) = try Checked("GPZDA,201530.00,04,07,\(year),00,00").message() else {
            throw OtherSentence()
        }
        #expect(zda.date == nil)
        #expect(zda.timeOfDay == 72_930_000_000_000)
    }

    @Test(arguments: [
        ("000000", 0), ("000000.000", 0), ("235959.99", 86_399_990_000_000), ("235960.5", 86_400_500_000_000),
        ("120000.123456789", 43_200_123_456_789), ("120000.1234567891", 43_200_123_456_789),
        ("120000.", 43_200_000_000_000),
    ])
    func `a time of day keeps its nanoseconds`(text: String, nanoseconds: Int64) throws {
        #expect(try gga("GPGGA,\(text),,,,,,,,,,,,,").timeOfDay == nanoseconds)
    }

    @Test(arguments: [
        ("240000", NMEAFieldError.outOfRange(field: 1)), ("006000", .outOfRange(field: 1)),
        ("000061", .outOfRange(field: 1)), ("12000", .notANumber(field: 1)), ("12:00:00", .notANumber(field: 1)),
        ("120000,", .notANumber(field: 2)), ("120000x5", .notANumber(field: 1)), ("-20000", .notANumber(field: 1)),
        ("120000.5x", .notANumber(field: 1)),
    ])
    func `an invalid time of day is an error`(text: String, expected: NMEAFieldError) throws {
        let body = text.hasSuffix(",") ? "GPGGA,\(text)x,N,,,,,,,,,,," : "GPGGA,\(text),,,,,,,,,,,,,"
        #expect(try fault(body) == expected)
    }

    @Test(
        arguments: [
            ("9000.0000,N,18000.0000,E", 90.0, 180.0), ("9000.0000,S,18000.0000,W", -90, -180),
            ("0000.0000,N,00000.0000,E", 0, 0), ("0000.5,s,00030,w", -1 / 120.0, -0.5),
            ("4717.123456789012,N,00833.000000000001,E", 47.285390946483533, 8.55 + 1e-12 / 60),
        ] as [(String, Double, Double)])
    func `degrees and minutes are read without loss of precision`(text: String, latitude: Double, longitude: Double)
        throws
    {
        let message = try gga("GPGGA,,\(text),1,,,,,,,,,")
        #expect(message.latitude == latitude)
        #expect(message.longitude == longitude)
    }

    @Test(arguments: [
        ("9000.0001,N,00000.0,E", NMEAFieldError.outOfRange(field: 2)), ("9100.0,N,00000.0,E", .outOfRange(field: 2)),
        ("4760.0,N,00000.0,E", .outOfRange(field: 2)), ("4717.0,N,18000.0001,E", .outOfRange(field: 4)),
        ("4717.0,X,00000.0,E", .outOfRange(field: 3)), ("-4717.0,N,00000.0,E", .notANumber(field: 2)),
        ("47a7.0,N,00000.0,E", .notANumber(field: 2)), ("4717.0.0,N,00000.0,E", .notANumber(field: 2)),
        ("99999999999999999999,N,00000.0,E", .notANumber(field: 2)), (".,N,00000.0,E", .notANumber(field: 2)),
    ])
    func `an invalid position is an error`(text: String, expected: NMEAFieldError) throws {
        #expect(try fault("GPGGA,,\(text),1,,,,,,,,,") == expected)
    }

    @Test func `a coordinate without its hemisphere is nil`() throws {
        #expect(try gga("GPGGA,,4717.0,,00833.0,,1,,,,,,,,").latitude == nil)
        #expect(try gga("GPGGA,,4717.0,,00833.0,,1,,,,,,,,").longitude == nil)
    }

    @Test func `an out-of-range value that is not essential is nil, not an error`() throws {
        #expect(try gga("GPGGA,,,,,,1,08,99.99,,,,,,").horizontalDilution == nil)
        #expect(try gga("GPGGA,,,,,,1,08,-1,,,,,,").horizontalDilution == nil)
        #expect(try gga("GPGGA,,,,,,9,x,1.0,,,,,,").quality == nil)
        #expect(try gga("GPGGA,,,,,,256,08,1.0,,,,,,").quality == nil)
        #expect(try gga("GPGGA,,,,,,257,08,1.0,,,,,,").quality == nil)
        #expect(try rmc("GPRMC,000000,A,,,,,,361,,,").courseOverGround == nil)
        #expect(try rmc("GPRMC,000000,A,,,,,,-1,,,").courseOverGround == nil)
    }

    @Test(
        arguments: [
            ("499.6", 499.6), ("-17.25", -17.25), ("+3", 3), (".5", 0.5), ("5.", 5), ("0.1", 0.1),
            ("123456789.012345", 123_456_789.012345),
            (".000000000000000001", 1e-18), ("999999999999999999", 1e18),
        ] as [(String, Double)])
    func `a decimal number is read as the nearest double`(text: String, value: Double) throws {
        #expect(try gga("GPGGA,,,,,,,,,\(text),M,,,,").altitudeAboveMeanSeaLevel == value)
    }

    @Test(arguments: ["", "-", ".", "+", "1e5", "nan", "inf", "0x1", "1 ", "--1", "1.2.3", "9999999999999999999", "1-"])
    func `an invalid decimal number is nil`(text: String) throws {
        #expect(try gga("GPGGA,,,,,,,,,\(text),M,,,,").altitudeAboveMeanSeaLevel == nil)
    }

    @Test(arguments: [
        "GPGGA,1", "GPRMC,1", "GPGLL,1", "GNGNS,1", "GPGSA,A", "GPGSV,1", "GPVTG,1", "GPZDA,1", "GPGST,1", "GPGBS,1",
    ])
    func `too few fields is an error`(body: String) throws {
        guard case .tooFewFields(_, actual: 2) = try fault(body) else {
            Issue.record("\(body) was taken")
            return
        }
    }
}
