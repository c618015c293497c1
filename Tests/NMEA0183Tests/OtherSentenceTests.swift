import GNSS
import NMEA0183
import SextantUnits
import Testing

@Suite("Other sentences")
struct OtherSentenceTests {
    @Test func `reads GST and GBS`() throws {
        let body = "GNGST,082356.00,1.8,2.5,1.7,111.2,1.3,2.2,3.1"
        guard case .gst(let gst) = try Checked(body).message() else { throw OtherSentence() }
        var expected = ErrorStatistics()
        (expected.rangeRMS, expected.semiMajor, expected.semiMinor, expected.orientation) = (1.8, 2.5, 1.7, 111.2)
        (expected.latitude, expected.longitude, expected.altitude) = (1.3, 2.2, 3.1)
        #expect(gst.timeOfDay == 30_236_000_000_000 && gst.statistics == expected)
        guard case .gbs(let gbs) = try Checked("GPGBS,235503.00,1.6,1.4,3.2,03,,-21.4,3.8").message() else {
            throw OtherSentence()
        }
        #expect(gbs.timeOfDay == 86_103_000_000_000 && gbs.failedSatellite == 3)
        #expect(gbs.latitudeError == 1.6 && gbs.longitudeError == 1.4 && gbs.altitudeError == 3.2)
    }

    @Test func `reads heading sentences, without a heading if the mode says not valid`() throws {
        #expect(try attitude("GPHDT,77.52,T").attitude.heading == 77.52)
        #expect(try attitude("GPHDT,,T").attitude == Attitude())
        #expect(try attitude("GPTHS,77.52,E").attitude.heading == 77.52)
        #expect(try attitude("GPTHS,77.52,V").attitude == Attitude())
        #expect(try attitude("HCHDM,238.5,M").attitude.magneticHeading == 238.5)
        #expect(try attitude("TIROT,-35.6,A").attitude.rateOfTurn == -35.6)
        #expect(try attitude("TIROT,-35.6,V").attitude == Attitude())
    }

    @Test func `a magnetic sensor's heading is corrected by its deviation, to the east or to the west`() throws {
        let plain = try attitude("HCHDG,101.1,,,7.1,W")
        #expect(plain.attitude.magneticHeading == 101.1 && plain.magneticVariation == -7.1)
        #expect(try attitude("HCHDG,1.5,3.0,W,,").attitude.magneticHeading == 358.5)
        #expect(try attitude("HCHDG,358.5,3.0,E,,").attitude.magneticHeading == 1.5)
        // A hair's breadth west of north is not a whole turn.
        #expect(try attitude("HCHDG,0,0.000000000000001,W,,").attitude.magneticHeading == 0)
        #expect(try attitude("HCHDG,,,,7.1,X") == attitude("HCHDG,,,,,"))
    }

    @Test func `reads the attitude sentences of compasses and inertial systems`() throws {
        let trueNorth = try attitude("PTNTHTM,16384,N,182,N,-182,N,8192,2454").attitude
        #expect(trueNorth.heading == 90 && trueNorth.dip == 45 && trueNorth.pitch == 182.0 * 360 / 65_536)
        #expect(try attitude("PTNTHTM,90.5,N,1.5,N,-2.5,N,45.5,2454").attitude.roll == -2.5)
        #expect(try attitude("PTNTHTM,65536,N,0,N,0,N,0,0").attitude.heading == 0)
        for beyond in ["65537", "361.5", "-0.5"] {
            #expect(try attitude("PTNTHTM,\(beyond),N,0,N,0,N,0,0").attitude.heading == nil)
        }
        let ocean = try attitude("OHPR,10.5,-1.5,2.5,21.0,10.0,,,,,,,,,,,,,").attitude
        #expect(ocean.heading == 10.5 && ocean.pitch == -1.5 && ocean.roll == 2.5)
        #expect(ocean.temperature == 21 && ocean.depth == 3.048)
        let inertial = try attitude("PASHR,120000.000,195.30,T,-2.50,1.25,-0.04,0.007,0.007,0.066,2,1").attitude
        #expect(inertial.heading == 195.3 && inertial.roll == -2.5 && inertial.pitch == 1.25)
        let antennas = try attitude("PSTI,036,054314.000,030521,191.69,-16.35,0.25,R").attitude
        #expect(antennas.heading == 191.69 && antennas.pitch == -16.35 && antennas.roll == 0.25)
        #expect(try attitude("PSTI,036,054314.000,030521,191.69,-16.35,0.25,F").attitude == Attitude())
    }

    private func attitude(_ body: String) throws -> AttitudeSentence {
        guard case .attitude(let message) = try Checked(body).message() else { throw OtherSentence() }
        return message
    }

    @Test func `reads Garmin's sentences`() throws {
        guard case .pgrme(let errors) = try Checked("PGRME,15.0,M,45.0,M,25.0,M").message(),
            case .pgrmz(let altitude) = try Checked("PGRMZ,1640,f,3").message(),
            case .pgrmf(let fix) = try Checked(
                "PGRMF,290,293895,160305,093802,13,5213.1439,N,02100.6511,E,A,2,36,226,2,1"
            ).message()
        else { throw OtherSentence() }
        #expect(errors.horizontalError == 15 && errors.verticalError == 45 && errors.sphericalError == 25)
        #expect(altitude.altitudeAboveMeanSeaLevel.map { abs($0 - 499.872) < 1e-9 } == true)
        #expect(altitude.mode == .threeD)
        #expect(fix.timeOfDay == 34_682_000_000_000 && fix.date?.year == 2005 && fix.leapSeconds == 13)
        #expect(fix.mode == .threeD && fix.speedKilometresPerHour == 36 && fix.courseOverGround == 226)
        #expect(fix.positionDilution == 2 && fix.timeDilution == 1)
    }

    @Test func `reads Ashtech's position, whose height is above the ellipsoid`() throws {
        let place = "3722.385158,N,12159.833768,W,00043.110"
        let body = "PASHR,POS,1,06,214619.50,\(place),,331.0,000.7,000.0,02.7,01.2,02.4,01.6,UC00"
        guard case .ashtechPosition(let fix) = try Checked(body).message() else { throw OtherSentence() }
        #expect(fix.kind == 1 && fix.satellitesUsed == 6 && fix.timeOfDay == 78_379_500_000_000)
        #expect(fix.heightAboveEllipsoid == 43.11 && fix.courseOverGround == 331 && fix.speedKnots == 0.7)
        #expect(fix.positionDilution == 2.7 && fix.horizontalDilution == 1.2 && fix.timeDilution == 1.6)
    }

    @Test func `a text sentence may contain commas`() throws {
        let checked = try Checked("GNTXT,01,01,02,HW UBX-M8030, 00080000")
        guard case .txt(let text) = try checked.message() else { throw OtherSentence() }
        #expect(text.kind == 2)
        #expect(String(decoding: checked.bytes[text.text], as: UTF8.self) == "HW UBX-M8030, 00080000")
    }

    @Test(arguments: [("W84", true), ("", true), ("999", false), ("P90", false), ("W72", false), ("W840", false)])
    func `only the datum W84 is WGS 84`(datum: String, expected: Bool) throws {
        let checked = try Checked("GPDTM,\(datum),,0.08,N,0.07,E,-47.7,W84")
        guard case .dtm(let message) = try checked.message() else { throw OtherSentence() }
        #expect(message.isWGS84 == expected)
    }

    @Test func `reads PSTI,030`() throws {
        let body = "PSTI,030,044606.000,A,2447.0924110,N,12100.5227860,E,103.323,0.25,-0.50,0.75,180915,R,1.2,4.2"
        guard case .psti030(let message) = try Checked(body).message() else { throw OtherSentence() }
        #expect(message.timeOfDay == 17_166_000_000_000 && message.isValid == true)
        #expect(message.eastVelocity == 0.25 && message.northVelocity == -0.5 && message.upVelocity == 0.75)
        #expect(message.altitudeAboveMeanSeaLevel == 103.323 && message.mode == .rtkFixed)
        #expect(message.date?.year == 2015 && message.latitude.map { abs($0 - 24.784873517) < 1e-9 } == true)
        #expect(try Checked("PSTI,032,044606.000,180915,A,R,4.2,1.1,2.2,3.3,120.5,,,,,").message() == .other)
    }

    @Test func `reads PUBX,00`() throws {
        let body =
            "PUBX,00,081350.00,4717.113210,N,00833.915187,E,546.589,G3,2.1,2.0,0.007,77.52,0.007,1.5,0.92,1.19,0.77,9,0,0"
        guard case .pubx00(let message) = try Checked(body).message() else { throw OtherSentence() }
        #expect(message.timeOfDay == 29_630_000_000_000)
        #expect(message.latitude == 47.285220166666667 && message.longitude == 8.565253116666666)
        #expect(message.heightAboveEllipsoid == 546.589 && message.status == .threeD)
        #expect(message.horizontalAccuracy == 2.1 && message.verticalAccuracy == 2)
        #expect(message.speedKilometresPerHour == 0.007 && message.courseOverGround == 77.52)
        #expect(message.verticalVelocity == 0.007 && message.differentialAge == 1.5)
        #expect(message.horizontalDilution == 0.92 && message.verticalDilution == 1.19 && message.timeDilution == 0.77)
        #expect(message.satellitesUsed == 9)
    }

    @Test(arguments: [
        ("NF", PUBX00.Status.noFix), ("DR", .deadReckoning), ("G2", .twoD), ("G3", .threeD), ("D2", .differentialTwoD),
        ("D3", .differentialThreeD), ("RK", .combined), ("TT", .timeOnly), ("XX", nil), ("", nil), ("G", nil),
    ])
    func `PUBX,00's status gives the kind of solution`(text: String, expected: PUBX00.Status?) throws {
        let checked = try Checked("PUBX,00,081350.00,,,,,,\(text),,,,,,,,,,0,0,0")
        guard case .pubx00(let message) = try checked.message() else { throw OtherSentence() }
        #expect(message.status == expected)
        #expect(message.latitude == nil && message.horizontalAccuracy == nil)
    }

    @Test(arguments: [
        (0, CommandAcknowledgement.Result.invalid), (1, .unsupported), (2, .failed), (3, .done),
    ])
    func `reads MediaTek's acknowledgement`(flag: Int, result: CommandAcknowledgement.Result) throws {
        let answer = try acknowledgement("PMTK001,604,\(flag)")
        #expect(answer.family == .pmtk && answer.command == 604 && answer.result == result)
    }

    @Test(arguments: [
        (0, CommandAcknowledgement.Result.done), (1, .inProgress), (2, .failed), (3, .unsupported), (4, .invalid),
        (5, .busy),
    ])
    func `reads Airoha's acknowledgement`(code: Int, result: CommandAcknowledgement.Result) throws {
        let answer = try acknowledgement("PAIR001,004,\(code)")
        #expect(answer.family == .pair && answer.command == 4 && answer.result == result)
    }

    @Test func `an echoed CASIC command is read as an echo, not as an acknowledgement`() throws {
        let echo = try acknowledgement("PCAS03,1,1,1,1,1,1,1,1,0,0")
        #expect(echo.family == .pcas && echo.command == 3 && echo.result == .echoed)
    }

    @Test(arguments: [
        ("PMTK001,604,4", NMEAFieldError.outOfRange(field: 2)), ("PMTK001,,3", .notANumber(field: 1)),
        ("PMTK001,604", .tooFewFields(expected: 3, actual: 2)), ("PAIR001,004,6", .outOfRange(field: 2)),
        ("PAIR001,x,0", .notANumber(field: 1)), ("PCASxy,1", .notANumber(field: 0)),
    ])
    func `an acknowledgement with an unknown command or result is an error`(body: String, expected: NMEAFieldError)
        throws
    {
        #expect(try fault(body) == expected)
    }

    @Test(arguments: [
        "PMTK010,001", "PAIR010,0", "PUBX,03,01", "PUBX,04,1", "GPXXX,1", "P", "", "GPGG", "GPGGAX,1", ",,,",
        "PGRMC,A,15.0,W84,,,,,,A,3,1,1,4,30", "PGRMT,GPS 18", "PGGGA,1,2", "PASHR,ACK",
    ])
    func `an unknown sentence is read as other`(body: String) throws {
        #expect(try Checked(body).message() == .other)
    }
}
