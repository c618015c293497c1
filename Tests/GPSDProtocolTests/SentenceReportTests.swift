import Epochs
import Foundation
import GNSS
import GPSDProtocol
import NMEA0183
import SextantJSON
import SextantUnits
import Testing
import UBX

/// Hears messages as a recording holds them, and keeps the objects that the gpsd port would send.
private struct Reporter {
    private var assembler = EpochAssembler(
        reference: .near(UTCInstant(nanoseconds: 1_789_905_600_000_000_000)), source: .recording)
    private var report = GPSDReport()
    private var now = MonotonicInstant.zero
    private(set) var objects: [Object] = []

    mutating func hear(_ bodies: String...) throws { try hear(bodies) }

    mutating func hear(_ bodies: [String]) throws {
        for body in bodies {
            var bytes: [UInt8] = []
            NMEAEncoder.append(body, to: &bytes)
            bytes.removeLast(2)
            var fields = NMEAFields()
            try #require(
                NMEAFraming.match(bytes.span, fields: &fields) == .sentence(length: bytes.count), "\(body)")
            now = now.advanced(byNanoseconds: 1_000_000)
            guard (try? assembler.push(fields, in: bytes.span, at: now)) != nil else { continue }
            try collect()
        }
    }

    mutating func hear(_ message: some UBXMessage) throws {
        var payload: [UInt8] = []
        message.appendPayload(to: &payload)
        try hear(type(of: message).messageID, payload)
    }

    mutating func hear(satellites: [Satellite], timeOfWeek: UInt32) throws {
        var frame: [UInt8] = []
        NavSAT.encode(timeOfWeekMilliseconds: timeOfWeek, satellites: satellites.span, into: &frame)
        try hear(.navSAT, Array(frame[UBXFraming.payloadRange(frameLength: frame.count)]))
    }

    private mutating func hear(_ id: UBXMessageID, _ payload: [UInt8]) throws {
        now = now.advanced(byNanoseconds: 1_000_000)
        try assembler.push(id, payload: payload.span, at: now)
        try collect()
    }

    /// Ends the recording, and gives the objects of a class.
    mutating func finish(_ name: String) throws -> [Object] {
        assembler.finish()
        try collect()
        return objects.filter { $0["class"] as? String == name }
    }

    private mutating func collect() throws {
        for index in assembler.closedEpochs {
            var text = TextBuffer()
            report.append(assembler.closed(index), device: nil, to: &text)
            let all = text.string
            objects += try all.components(separatedBy: "\r\n").dropLast().map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object)
            }
        }
    }
}

@Suite("What sentences lead to at the gpsd port")
struct SentenceReportTests {
    private let noon = "120000.00"
    private let place = "4717.11437,N,00833.91522,E"

    private var rmc: String { "GPRMC,\(noon),A,\(place),10.0,77.52,200926,,,A" }
    private var gga: String { "GPGGA,\(noon),\(place),1,8,1.01,499.6,M,48.0,M,," }

    private func objects(_ name: String, _ bodies: String...) throws -> [Object] {
        var reporter = Reporter()
        try reporter.hear(bodies)
        return try reporter.finish(name)
    }

    private func tpv(_ bodies: String...) throws -> Object {
        var reporter = Reporter()
        try reporter.hear(bodies)
        return try #require(try reporter.finish("TPV").last)
    }

    /// Four satellites in use, whose geometry has a PDOP of 3.3 or so.
    private let satellites: [Satellite] = [(60, 10), (30, 100), (45, 190), (20, 280)].enumerated().map {
        index, place in
        var satellite = Satellite(id: SatelliteID(.gps, UInt8(index + 1)), isUsed: true)
        (satellite.elevation, satellite.azimuth) = (Int16(place.0), Int16(place.1))
        satellite.carrierToNoise = 40
        return satellite
    }

    private var dilution: NavDOP {
        var message = NavDOP()
        message.timeOfWeekMilliseconds = 43_218_000
        (message.geometricE2, message.positionE2, message.timeE2) = (111, 222, 333)
        (message.verticalE2, message.horizontalE2, message.northingE2, message.eastingE2) = (444, 555, 66, 77)
        return message
    }

    private var solution: NavSOL {
        var message = NavSOL()
        message.timeOfWeekMilliseconds = 43_218_000
        message.fixType = .threeD
        message.flags = 1
        (message.xCentimetres, message.yCentimetres, message.zCentimetres) = (427_900_000, 64_400_000, 467_100_000)
        return message
    }

    @Test func `a SKY behind NAV-DOP carries the receiver's dilutions, and not those of the view's geometry`() throws {
        var reporter = Reporter()
        try reporter.hear(solution)
        try reporter.hear(dilution)
        try reporter.hear(satellites: satellites, timeOfWeek: 43_218_000)
        let skies = try reporter.finish("SKY")
        try #require(skies.count == 1)
        #expect((skies[0]["satellites"] as? [Object])?.count == 4)
        #expect(skies[0]["gdop"] as? Double == 1.11 && skies[0]["pdop"] as? Double == 2.22)
        #expect(skies[0]["tdop"] as? Double == 3.33 && skies[0]["vdop"] as? Double == 4.44)
        #expect(skies[0]["hdop"] as? Double == 5.55 && skies[0]["ydop"] as? Double == 0.66)
    }

    @Test func `a SKY before NAV-DOP carries its geometry, and a SKY of its own the receiver's dilutions`() throws {
        var reporter = Reporter()
        try reporter.hear(solution)
        try reporter.hear(satellites: satellites, timeOfWeek: 43_218_000)
        try reporter.hear(dilution)
        let skies = try reporter.finish("SKY")
        try #require(skies.count == 2)
        #expect(skies[0]["hdop"] as? Double != 5.55 && skies[0]["hdop"] != nil && skies[0]["satellites"] != nil)
        #expect(skies[1]["hdop"] as? Double == 5.55 && skies[1]["satellites"] == nil)
    }

    @Test func `GSA behind the view and RMC, which begins an epoch, leave the view the dilutions of its geometry`()
        throws
    {
        let view = [
            "GPGSV,1,1,04,01,60,010,40,02,30,100,40,03,45,190,40,04,20,280,40",
            "GPGSA,A,3,01,02,03,04,,,,,,,,,9.60,1.01,9.30",
        ]
        var reporter = Reporter()
        for second in ["120000.00", "120001.00", "120002.00"] {
            try reporter.hear(view)
            try reporter.hear(
                rmc.replacingOccurrences(of: noon, with: second), gga.replacingOccurrences(of: noon, with: second))
        }
        let skies = try reporter.finish("SKY").suffix(2)
        let full = try #require(skies.first), own = try #require(skies.last)
        #expect(full["satellites"] != nil && full["hdop"] as? Double == 1.01)
        #expect(try #require(full["pdop"] as? Double) < 9 && full["vdop"] as? Double != 9.3)
        #expect(own["satellites"] == nil && own["pdop"] as? Double == 9.6 && own["vdop"] as? Double == 9.3)
    }

    @Test func `GSA before the view gives its SKY the receiver's dilutions`() throws {
        let skies = try objects(
            "SKY", rmc, gga, "GPGSA,A,3,01,02,03,04,,,,,,,,,9.60,1.01,9.30",
            "GPGSV,1,1,04,01,60,010,40,02,30,100,40,03,45,190,40,04,20,280,40")
        #expect(skies.count == 1 && skies[0]["pdop"] as? Double == 9.6 && skies[0]["vdop"] as? Double == 9.3)
        #expect(skies[0]["xdop"] != nil)
    }

    @Test func `GST's deviations are epx and epy`() throws {
        let tpv = try tpv(rmc, gga, "GPGST,\(noon),1.8,2.5,1.7,111.2,3.0,4.0,3.1")
        #expect(tpv["epy"] as? Double == 3 && tpv["epx"] as? Double == 4 && tpv["epv"] as? Double == 3.1)
    }

    @Test func `GBS gives epx, epy and epv`() throws {
        let tpv = try tpv(rmc, gga, "GPGBS,\(noon),1.6,1.4,3.2,03,,-21.4,3.8")
        #expect(tpv["epy"] as? Double == 1.6 && tpv["epx"] as? Double == 1.4 && tpv["epv"] as? Double == 3.2)
        #expect(tpv["eph"] as? Double == 19.19)
    }

    @Test func `Garmin's error estimates are widened from 50 percent to 95`() throws {
        let tpv = try tpv(rmc, gga, "PGRME,15.0,M,45.0,M,25.0,M")
        #expect(tpv["epx"] as? Double == 22.022 && tpv["epy"] as? Double == 22.022)
        #expect(tpv["epv"] as? Double == 93.432 && tpv["sep"] as? Double == 51.907)
    }

    @Test func `SiRF's error estimates are the receiver's own accuracies`() throws {
        let tpv = try tpv(rmc, gga, "PSRFEPE,\(noon),A,0.7,6.82,10.69,0.25,18.0")
        #expect(tpv["eph"] as? Double == 6.82 && tpv["epv"] as? Double == 10.69)
        #expect(tpv["eps"] as? Double == 0.25 && tpv["epd"] as? Double == 18)
        #expect(try self.tpv(rmc, gga, "PSRFEPE,\(noon),V,0.7,6.82,10.69,0.25,18.0")["eph"] as? Double == 19.19)
    }

    @Test func `a ZDA's time is told without a fix`() throws {
        let tpv = try tpv("GPRMC,\(noon),V,,,,,,,,,,N", "GPZDA,\(noon),20,09,2026,00,00")
        #expect(tpv["mode"] as? Int == 1 && tpv["time"] as? String == "2026-09-20T12:00:00.000Z")
        let dated = try self.tpv("GPRMC,\(noon),V,,,,,,,200926,,,N", "GPGGA,\(noon),,,,,0,00,,,,,,,")
        #expect(dated["mode"] as? Int == 1 && dated["time"] == nil, "an RMC vouches for its date by its status")
        let placeholder = try self.tpv("GPRMC,\(noon),V,,,,,,,,,,N", "GPZDA,\(noon),06,01,1980,00,00")
        #expect(placeholder["mode"] as? Int == 1 && placeholder["time"] == nil, "the date of a clock that was not set")
    }

    @Test func `PGRMZ gives the altitude that other sentences leave out`() throws {
        let tpv = try tpv(rmc, "PGRMZ,1640,f,3")
        #expect(tpv["mode"] as? Int == 3 && tpv["altMSL"] as? Double == 499.872)
        #expect(try self.tpv(rmc, gga, "PGRMZ,1640,f,3")["altMSL"] as? Double == 499.6)
        #expect(try self.tpv(rmc, "PGRMZ,1640,f,2")["mode"] as? Int == 2)
    }

    @Test func `attitude sentences give an ATT with the epoch's time`() throws {
        let heading = try objects("ATT", rmc, gga, "HEHDT,341.8,T", "GPROT,-2.5,A")
        try #require(heading.count == 1)
        #expect(heading[0]["time"] as? String == "2026-09-20T12:00:00.000Z")
        #expect(heading[0]["heading"] as? Double == 341.8 && heading[0]["rot"] as? Double == -2.5)
        #expect(heading[0]["pitch"] == nil)
        let pitch = try objects("ATT", rmc, "PSTI,036,\(noon),200926,191.69,-16.35,0.50,R")
        #expect(pitch.count == 1 && pitch[0]["heading"] as? Double == 191.69)
        #expect(pitch.first?["pitch"] as? Double == -16.35 && pitch.first?["roll"] as? Double == 0.5)
        #expect(try objects("ATT", rmc, "PSTI,036,\(noon),200926,191.69,-16.35,0.50,N").isEmpty)
        #expect(try objects("ATT", rmc, gga).isEmpty)
    }

    @Test func `a compass that sends nothing else gives an ATT for each of its sentences`() throws {
        let turns = try objects(
            "ATT", "PTNTHTM,16384,N,182,N,-43,N,13641,2454", "PTNTHTM,32768,N,182,N,-42,N,13641,2454",
            "PTNTHTM,49152,N,182,N,-41,N,13641,2454")
        #expect(turns.map { $0["heading"] as? Double } == [90, 180, 270])
        #expect(turns.map { $0["pitch"] as? Double } == [1, 1, 1])
        let magnetic = try objects("ATT", "SDHDG,234.6,,,1.3,E", "SDHDG,235.6,2.0,W,1.3,E")
        #expect(magnetic.map { $0["mheading"] as? Double } == [234.6, 233.6])
        #expect(try objects("ATT", "OHPR,10.5,-1.5,2.5,21.0,,,,,,,,,,,,,,").first?["roll"] as? Double == 2.5)
    }

    @Test func `the decimetres of NMEA do not replace the millimetres of UBX`() throws {
        var position = NavPOSLLH()
        position.timeOfWeekMilliseconds = 43_218_000
        (position.latitudeE7, position.longitudeE7) = (472_852_395, 85_652_537)
        (position.heightAboveEllipsoidMillimetres, position.altitudeAboveMeanSeaLevelMillimetres) = (547_123, 499_456)
        var velocity = NavVELNED()
        velocity.timeOfWeekMilliseconds = 43_218_000
        velocity.groundSpeedCentimetresPerSecond = 517
        for isBinaryFirst in [true, false] {
            var reporter = Reporter()
            // The date, by which both protocols' times are known to agree.
            try reporter.hear(rmc.replacingOccurrences(of: noon, with: "115959.00"))
            if !isBinaryFirst { try reporter.hear(rmc, gga) }
            try reporter.hear(position)
            try reporter.hear(velocity)
            if isBinaryFirst { try reporter.hear(rmc, gga) }
            let tpv = try #require(try reporter.finish("TPV").last)
            #expect(tpv["altMSL"] as? Double == 499.456 && tpv["altHAE"] as? Double == 547.123)
            #expect(tpv["speed"] as? Double == 5.17 && tpv["mode"] as? Int == 3)
        }
    }

    @Test func `PSTI,030 alone is a fix`() throws {
        let body = "PSTI,030,\(noon),A,\(place),499.600,3.00,4.00,0.75,200926,R,1.2,4.2"
        let tpv = try tpv(body)
        #expect(tpv["mode"] as? Int == 3 && tpv["status"] as? Int == 3 && tpv["altMSL"] as? Double == 499.6)
        #expect(tpv["time"] as? String == "2026-09-20T12:00:00.000Z" && tpv["lat"] as? Double == 47.2852395)
        #expect(tpv["speed"] as? Double == 5 && tpv["track"] as? Double == 36.8699)
        #expect(try self.tpv(body.replacingOccurrences(of: ",A,", with: ",V,"))["mode"] as? Int == 1)
    }

    @Test func `PGRMF alone is a fix, and gives the leap seconds`() throws {
        let tpv = try tpv("PGRMF,2437,43218,200926,120000,18,\(place),A,2,36,77,2,1")
        #expect(tpv["mode"] as? Int == 3 && tpv["leapseconds"] as? Int == 18 && tpv["lat"] as? Double == 47.2852395)
        #expect(tpv["time"] as? String == "2026-09-20T12:00:00.000Z")
        #expect(tpv["speed"] as? Double == 10 && tpv["track"] as? Double == 77)
        #expect(try self.tpv("PGRMF,2437,43218,200926,120000,18,\(place),A,0,36,77,2,1")["mode"] as? Int == 1)
    }
}
