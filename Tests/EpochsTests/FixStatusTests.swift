import Epochs
import GNSS
import SextantUnits
import Testing

@Suite("What an epoch's sentences say against each other")
struct FixStatusTests {
    private func epoch(_ bodies: String..., after: [String] = []) throws -> Epoch {
        try epoch(bodies: bodies, after: after)
    }

    private func epoch(bodies: [String], after: [String] = []) throws -> Epoch {
        var listener = Listener()
        try listener.hear(after)
        try listener.hear(bodies)
        listener.finish()
        return try #require(listener.epochs.last)
    }

    private let noon = "120000.00"

    @Test(arguments: [true, false])
    func `a void RMC overrides a GGA position, in either order`(voidFirst: Bool) throws {
        let void = rmc(noon, valid: false)
        let fix = try voidFirst ? epoch(void, gga(noon)).fix : epoch(gga(noon), void).fix
        #expect(fix.type == .noFix && fix.quality == .invalid)
        #expect(fix.latitude == nil && fix.altitudeAboveMeanSeaLevel == nil && fix.speed == nil)
        #expect(!fix.isTimeValidated)
    }

    @Test func `a GGA with quality 0 overrides RMC`() throws {
        #expect(try epoch(rmc(noon), "GPGGA,\(noon),\(position),0,00,,,,,,,").fix.type == .noFix)
    }

    @Test func `once the date is known, GGA's more precise position is used`() throws {
        let coarse = "GPRMC,120001.00,A,4717.11,N,00833.91,E,10.0,77.52,200926,,,A"
        #expect(try epoch(gga("120001.00"), coarse, after: ublox(noon)).fix.latitude == latitude)
        #expect(try epoch(coarse, gga("120001.00"), after: ublox(noon)).fix.latitude == latitude)
    }

    @Test func `without GSA, a height and four satellites make a 3D fix`() throws {
        #expect(try epoch(gga(noon, satellites: 4)).fix.type == .threeD)
        #expect(try epoch(gga(noon, satellites: 3)).fix.type == .twoD)
        #expect(try epoch(gga(noon, altitude: "")).fix.type == .twoD)
        #expect(try epoch(rmc(noon)).fix.type == .twoD)
        #expect(try epoch(rmc("120001.00"), after: ublox(noon)).fix.type == .threeD, "kept from the last")
    }

    @Test func `a GSA that says 2D counts as 3D with four satellites, a VDOP and a height`() throws {
        func fix(_ used: Int, vertical: String = "1.1", altitude: String = "499.6") throws -> FixType {
            let slots = (1...12).map { $0 <= used ? ($0 < 10 ? "0\($0)" : "\($0)") : "" }.joined(separator: ",")
            return try epoch(
                rmc(noon), gga(noon, satellites: used, altitude: altitude), "GPGSA,A,2,\(slots),1.6,1.01,\(vertical)"
            ).fix.type
        }
        #expect(try fix(7) == .threeD && fix(4) == .threeD)
        #expect(try fix(3) == .twoD)
        #expect(try fix(7, vertical: "") == .twoD)
        #expect(try fix(7, altitude: "") == .twoD)
    }

    @Test func `a satellite without a signal is not used`() throws {
        let sky = try epoch(rmc(noon), gga(noon), gsa, "GPGSV,1,1,03,01,38,230,44,02,71,156,,03,29,116,00")
        #expect(sky.satellites.map(\.isUsed) == [true, false, false])
    }

    @Test(arguments: ["0.00", "0", "90.0", "99.99", "-1"])
    func `a dilution of precision of 0, or of 90 and more, is unknown`(text: String) throws {
        let active = "GPGSA,A,3,01,02,03,04,,,,,,,,,\(text),\(text),\(text)"
        let fix = try epoch(rmc(noon), gga(noon, dilution: text), active).fix
        #expect(fix.dilution == DilutionOfPrecision())
    }

    @Test func `error statistics of 0 give no accuracy`() throws {
        let fix = try epoch(rmc(noon), gga(noon), "GPGST,\(noon),0.0,,,,0.0,0.0,0.0").fix
        #expect(fix.horizontalAccuracy == nil && fix.verticalAccuracy == nil)
    }

    @Test func `a BeiDou GSA without a fix does not override another GSA with a 3D fix`() throws {
        let none = "BDGSA,A,1,,,,,,,,,,,,,99.99,99.99,99.99"
        let first = try epoch(rmc(noon), gga(noon), none, gsa).fix
        let last = try epoch(rmc(noon), gga(noon), gsa, none).fix
        for fix in [first, last] {
            #expect(fix.type == .threeD && fix.dilution.position == 1.94)
        }
    }

    @Test(arguments: [
        ("A", 1, FixQuality.autonomous), ("D", 2, .differential), ("R", 4, .rtkFixed), ("F", 5, .rtkFloat),
        ("P", 3, .precise), ("E", 6, .deadReckoning), ("M", 7, .manualInput), ("S", 8, .simulated),
        ("D", 1, .differential),
        ("R", 1, .rtkFixed), ("A", 2, .differential),
    ])
    func `the better of GGA's quality and RMC's mode counts`(mode: String, quality: Int, expected: FixQuality) throws {
        let fix = try epoch("GPRMC,\(noon),A,\(position),10.0,77.52,200926,,,\(mode)", gga(noon, quality: quality)).fix
        #expect(fix.quality == expected)
        #expect(fix.type == (expected == .deadReckoning ? .deadReckoningOnly : .threeD))
    }

    @Test func `GSA's satellites are counted where GGA's count stops at 12`() throws {
        let more = "GLGSA,A,3,65,66,67,68,69,70,71,72,73,74,75,76,1.94,1.18,1.54"
        #expect(try epoch(rmc(noon), gga(noon, satellites: 12), gsa, more).fix.satellitesUsed == 17)
    }

    @Test func `a position in a datum other than WGS 84 is discarded`() throws {
        for (datum, isOurs) in [("999", false), ("P90", false), ("W84", true)] {
            let fix = try epoch("GPDTM,\(datum),,0.08,N,0.07,E,-47.7,W84", rmc(noon), gga(noon)).fix
            #expect(fix.hasPosition == isOurs)
            #expect((fix.latitude != nil) == isOurs)
        }
    }

    @Test func `a datum sentence after a position applies to the next position`() throws {
        let foreign = "GPDTM,999,,0.08,N,0.07,E,-47.7,W84"
        let ours = "GPDTM,W84,,0.0,N,0.0,E,0.0,W84"
        #expect(try !epoch(foreign, rmc(noon), gga(noon), ours).fix.hasPosition)
        #expect(try epoch(rmc(noon), gga(noon), foreign).fix.hasPosition)
    }

    @Test func `a datum that is not repeated is forgotten after ten seconds`() throws {
        var listener = Listener()
        try listener.hear("GPDTM,999,,0.08,N,0.07,E,-47.7,W84", rmc(clock(0)), gga(clock(0)))
        for second in 1...11 {
            listener.pause(seconds: 1)
            try listener.hear(rmc(clock(second)), gga(clock(second)))
        }
        listener.finish()
        #expect(listener.epochs.map(\.fix.hasPosition) == Array(repeating: false, count: 10) + [true, true])
    }

    @Test func `PSTI,030 gives the velocity in three dimensions`() throws {
        let psti = "PSTI,030,\(noon),A,4717.1143700,N,00833.9152200,E,499.600,0.25,-0.50,0.75,200926,A,0.0,0.0"
        let fix = try epoch(rmc(noon), gga(noon), psti).fix
        #expect(fix.velocity == VelocityNED(north: -0.5, east: 0.25, down: -0.75))
    }

    @Test func `a course of PSTI,030 a hair's breadth west of north is 0, and not a whole turn`() throws {
        let place = "4717.1143700,N,00833.9152200,E,499.600"
        let fix = try epoch("PSTI,030,\(noon),A,\(place),-0.0000000000000001,1.00,0,200926,A,0.0,0.0").fix
        #expect(fix.courseOverGround == 0)
    }

    @Test func `GST gives the 68 percent radius and the vertical error`() throws {
        let epoch = try epoch(rmc(noon), gga(noon), "GPGST,\(noon),1.8,2.5,1.7,111.2,3.0,4.0,3.1")
        #expect(epoch.fix.horizontalAccuracy.map { abs($0 - 1.51 * 12.5.squareRoot()) < 1e-12 } == true)
        #expect(epoch.fix.verticalAccuracy == 3.1)
        #expect(epoch.errors?.semiMajor == 2.5)
    }

    @Test func `GSV groups of two signals form one sky view`() throws {
        let epoch = try epoch(
            rmc(noon), gga(noon), "GPGSA,A,3,01,02,,,,,,,,,,,1.94,1.18,1.54,1",
            "GPGSV,1,1,02,01,38,230,44,02,71,156,47,1", "GPGSV,1,1,02,01,38,230,40,02,71,156,41,6",
            "GAGSV,1,1,01,05,38,230,44,7")
        #expect(epoch.satellites.map(\.id.number) == [1, 2, 1, 2, 5])
        #expect(epoch.satellites.map(\.signal) == [0, 0, 3, 3, 0])
        #expect(epoch.satellites.map(\.carrierToNoise) == [44, 47, 40, 41, 44])
        #expect(epoch.satellites.map(\.isUsed) == [true, true, true, true, false])
    }

    @Test(arguments: [true, false])
    func `a truncated GSV group is discarded, and no other group is`(pauses: Bool) throws {
        var listener = Listener()
        let galileo = ["GAGSV,2,1,05,01,38,230,44,02,71,156,47,03,29,116,41,04,09,081,36", "GAGSV,2,2,05,05,07,189,30"]
        for second in 0..<6 {
            let time = clock(43_200 + second)
            try listener.hear([rmc(time), gga(time), gsa] + gsv + galileo.dropLast(second == 2 ? 1 : 0))
            if pauses { listener.silence() }
        }
        listener.finish()
        #expect(listener.epochs.count == 6)
        for (second, epoch) in listener.epochs.enumerated() {
            let expected: [UInt8] = [1, 2, 3, 4, 5, 6] + (second == 2 ? [] : [1, 2, 3, 4, 5])
            #expect(epoch.satellites.map(\.id.number) == expected, "epoch \(second)")
        }
    }

    @Test func `a repeated GSV group replaces the first`() throws {
        let later = [
            "GPGSV,2,1,06,01,39,231,40,02,72,157,41,03,30,117,42,04,10,082,43",
            "GPGSV,2,2,06,05,08,190,31,07,05,220,20",
        ]
        let whole = try epoch(bodies: [rmc(noon)] + gsv + [gga(noon), "GLGSV,1,1,01,65,38,230,44"] + later)
        #expect(whole.satellites.map(\.id.number) == [1, 1, 2, 3, 4, 5, 7])
        #expect(whole.satellites.map(\.carrierToNoise) == [44, 40, 41, 42, 43, 31, 20])
    }

    @Test func `two GSV groups of one talker without a common satellite are both kept`() throws {
        let first = gsv[0].replacing("2,1,06", with: "1,1,04")
        let whole = try epoch(rmc(noon), gga(noon), first, "GPGSV,1,1,01,33,38,230,44")
        #expect(whole.satellites.map(\.id.number) == [1, 2, 3, 4, 120])
    }

    @Test func `a GSV group that lost its middle sentence is discarded`() throws {
        let whole = try epoch(
            rmc(noon), gga(noon), "GLGSV,1,1,01,65,38,230,44",
            "GPGSV,3,1,09,01,38,230,44,02,71,156,47,03,29,116,41,04,09,081,36", "GPGSV,3,3,09,09,07,189,30")
        #expect(whole.satellites.map(\.id) == [SatelliteID(.glonass, 1)])
    }

    @Test func `a GSV group spread over several epochs forms one sky view`() throws {
        var listener = Listener()
        for tick in 0..<6 {
            try listener.hear(rmc(clock(43_200, tick * 10)), gga(clock(43_200, tick * 10)), gsv[tick % 2])
        }
        listener.finish()
        #expect(listener.epochs.count == 6)
        let skies = listener.epochs.filter(\.hasSky)
        #expect(skies.count >= 2)
        for sky in skies { #expect(sky.satellites.map(\.id.number) == [1, 2, 3, 4, 5, 6]) }
    }

    @Test func `an endless stream of GSV sentences keeps the sky view bounded`() throws {
        var listener = Listener()
        try listener.hear(rmc(noon), gga(noon))
        for talker in 0..<26 {
            let letter = Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(talker)))
            for signal in 1...9 {
                try listener.hear(
                    "G\(letter)GSV,1,1,04,01,38,230,44,02,71,156,47,03,29,116,41,04,09,081,36,\(signal)")
            }
        }
        listener.finish()
        #expect(listener.epochs.count == 1)
        #expect(listener.epochs[0].satellites.count == 192)
    }
}
