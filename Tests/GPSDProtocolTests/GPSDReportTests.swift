import Foundation
import GNSS
import GPSDProtocol
import SextantJSON
import SextantUnits
import Testing

typealias Object = [String: Any]

/// The objects that a report writes for epochs in turn, a list for each epoch.
func reports(_ epochs: [Epoch], device: String? = nil) throws -> [[Object]] {
    var report = GPSDReport()
    var text = TextBuffer()
    return try epochs.map { epoch in
        text.removeAll()
        report.append(epoch, device: device, to: &text)
        let all = text.string
        #expect(all.hasSuffix("\r\n"))
        return try all.components(separatedBy: "\r\n").dropLast().map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? Object)
        }
    }
}

func fixEpoch(seconds: Int64 = 0, type: FixType = .threeD) -> Epoch {
    var epoch = Epoch()
    epoch.fix.type = type
    epoch.fix.quality = .autonomous
    epoch.fix.time = UTCInstant(nanoseconds: 1_789_905_600_000_000_000 + seconds * 1_000_000_000)
    epoch.fix.isTimeValidated = true
    epoch.fix.latitude = 47.2852395
    epoch.fix.longitude = 8.565253667
    epoch.fix.altitudeAboveMeanSeaLevel = 499.6
    epoch.fix.heightAboveEllipsoid = 547.6
    epoch.fix.geoidSeparation = 48
    epoch.fix.speed = 5.1444
    epoch.fix.courseOverGround = 77.52
    return epoch
}

func object(_ name: String, _ objects: [Object]) throws -> Object {
    try #require(objects.first { $0["class"] as? String == name })
}

@Suite("gpsd reports")
struct GPSDReportTests {
    @Test func `a fix is reported as a TPV object`() throws {
        var epoch = fixEpoch()
        epoch.fix.magneticVariation = 2.5
        epoch.fix.leapSeconds = 18
        let objects = try reports([epoch], device: "/dev/serial0")[0]
        #expect(objects.count == 1)
        let tpv = objects[0]
        #expect(tpv["class"] as? String == "TPV" && tpv["device"] as? String == "/dev/serial0")
        #expect(tpv["mode"] as? Int == 3 && tpv["status"] == nil)
        #expect(tpv["time"] as? String == "2026-09-20T12:00:00.000Z" && tpv["ept"] as? Double == 0.005)
        #expect(tpv["lat"] as? Double == 47.2852395 && tpv["lon"] as? Double == 8.565253667)
        #expect(
            tpv["altMSL"] as? Double == 499.6 && tpv["altHAE"] as? Double == 547.6 && tpv["alt"] as? Double == 499.6)
        #expect(tpv["geoidSep"] as? Double == 48 && tpv["leapseconds"] as? Int == 18)
        #expect(tpv["speed"] as? Double == 5.144 && tpv["track"] as? Double == 77.52)
        #expect(tpv["magvar"] as? Double == 2.5 && tpv["magtrack"] as? Double == 75.02)
        #expect(tpv["eph"] == nil && tpv["climb"] == nil)
    }

    @Test(arguments: [
        (FixType.noFix, 1), (.deadReckoningOnly, 2), (.twoD, 2), (.threeD, 3), (.gnssPlusDeadReckoning, 3),
        (.timeOnly, 3),
    ])
    func `each fix type has gpsd's mode number`(type: FixType, mode: Int) throws {
        let tpv = try reports([fixEpoch(type: type)])[0][0]
        #expect(tpv["mode"] as? Int == mode)
        #expect((tpv["lat"] != nil) == (type != .noFix))
        #expect((tpv["altMSL"] != nil) == (type != .noFix))
    }

    @Test func `the magnetic variation comes from the world magnetic model if the receiver gives none`() throws {
        var epochs = [fixEpoch(), fixEpoch(seconds: 1), fixEpoch(seconds: 2)]
        epochs[1].fix.magneticVariation = -1.5
        // Reykjavík, where the needle points far west.
        (epochs[2].fix.latitude, epochs[2].fix.longitude) = (64.15, -21.94)
        let variations = try reports(epochs).map { try #require($0[0]["magvar"] as? Double) }
        #expect(abs(variations[0] - 3.6) < 0.3 && variations[1] == -1.5 && abs(variations[2] + 11) < 1)
        let tpv = try reports([epochs[0]])[0][0]
        #expect(tpv["magtrack"] != nil)
    }

    @Test func `the magnetic variation is told anew once the date is known`() throws {
        var epochs = [fixEpoch(), fixEpoch()]
        epochs[0].fix.time = nil
        let later = UTCInstant(nanoseconds: 1_888_000_000_000_000_000)
        epochs[1].fix.time = later
        let dated = try reports([epochs[1]])[0][0]["magvar"] as? Double
        let variations = try reports(epochs).map { $0[0]["magvar"] as? Double }
        #expect(variations[1] == dated && variations[0] != dated)
    }

    @Test func `for an older date the magnetic model is extrapolated by at most five years`() throws {
        var old = fixEpoch()
        old.fix.time = UTCInstant(nanoseconds: 1_198_451_484_000_000_000)
        let (then, now) = (try reports([old])[0][0], try reports([fixEpoch()])[0][0])
        let difference = try #require(then["magvar"] as? Double) - (try #require(now["magvar"] as? Double))
        #expect(abs(difference) < 1.5)
    }

    @Test func `the geoid model gives the separation that the receiver leaves out`() throws {
        var epoch = fixEpoch()
        epoch.fix.geoidSeparation = nil
        epoch.fix.heightAboveEllipsoid = nil
        let tpv = try reports([epoch])[0][0]
        let separation = try #require(tpv["geoidSep"] as? Double)
        #expect(abs(separation - 47.6) < 1.5)
        #expect(try abs(#require(tpv["altHAE"] as? Double) - 499.6 - separation) < 1e-3)
    }

    @Test(arguments: FixType.allCases)
    func `without a position the mode is never 2D or 3D`(type: FixType) throws {
        var epoch = fixEpoch(type: type)
        (epoch.fix.latitude, epoch.fix.longitude) = (nil, nil)
        let tpv = try reports([epoch])[0][0]
        #expect(try #require(tpv["mode"] as? Int) < 2)
    }

    @Test func `an epoch without any fix information causes no TPV between those that have it`() throws {
        var silent = fixEpoch(seconds: 1, type: .noFix)
        silent.fix.quality = .unknown
        silent.hasSky = true
        let objects = try reports([fixEpoch(), silent, fixEpoch(seconds: 2)])
        #expect(objects.map { $0.map { $0["class"] as? String } } == [["TPV"], ["SKY"], ["TPV"]])
    }

    @Test func `a receiver that reports only the time has mode 0`() throws {
        var clock = fixEpoch(type: .noFix)
        clock.fix.quality = .unknown
        let tpv = try reports([clock])[0][0]
        #expect(tpv["mode"] as? Int == 0 && tpv["time"] as? String == "2026-09-20T12:00:00.000Z")
    }

    @Test(
        arguments: [
            (FixQuality.unknown, nil), (.invalid, nil), (.autonomous, nil), (.manualInput, 7), (.differential, 2),
            (.rtkFixed, 3),
            (.rtkFloat, 4), (.deadReckoning, 5), (.surveyedTime, 7), (.simulated, 8), (.precise, 9),
        ] as [(FixQuality, Int?)])
    func `each fix quality has gpsd's status number`(quality: FixQuality, status: Int?) throws {
        var epoch = fixEpoch()
        epoch.fix.quality = quality
        #expect(try reports([epoch])[0][0]["status"] as? Int == status)
    }

    @Test func `a time that is not validated is left out`() throws {
        var epoch = fixEpoch()
        epoch.fix.isTimeValidated = false
        let tpv = try reports([epoch])[0][0]
        #expect(tpv["time"] == nil && tpv["ept"] == nil && tpv["lat"] != nil)
    }

    @Test func `a time that continues after the fix was lost is reported`() throws {
        var epochs = [fixEpoch()] + (1...4).map { fixEpoch(seconds: $0, type: .noFix) }
        for index in 1...4 {
            epochs[index].fix.quality = .invalid
            epochs[index].fix.isTimeValidated = false
        }
        // It stands still, then leaps by hours.
        epochs[3].fix.time = epochs[2].fix.time
        epochs[4].fix.time = fixEpoch(seconds: 7200).fix.time
        let times = try reports(epochs).map { $0[0]["time"] as? String }
        #expect(
            times == ["2026-09-20T12:00:00.000Z", "2026-09-20T12:00:01.000Z", "2026-09-20T12:00:02.000Z", nil, nil])
    }

    @Test func `the status of GNSS with dead reckoning is 6, or 2 with differential corrections`() throws {
        var epoch = fixEpoch(type: .gnssPlusDeadReckoning)
        #expect(try reports([epoch])[0][0]["status"] as? Int == 6)
        epoch.fix.quality = .differential
        #expect(try reports([epoch])[0][0]["status"] as? Int == 2)
    }

    @Test func `an accuracy of 0 is left out`() throws {
        var epoch = fixEpoch()
        epoch.fix.horizontalAccuracy = 0
        epoch.fix.verticalAccuracy = 0
        epoch.fix.dilution.horizontal = 1
        let tpv = try object("TPV", reports([epoch])[0])
        #expect(tpv["eph"] as? Double == 19 && tpv["epv"] == nil)
    }

    @Test func `a SKY has the receiver's dilutions of precision, and computes missing ones from the geometry`() throws {
        var epoch = fixEpoch()
        epoch.hasSky = true
        epoch.satellites = [(60, 10), (30, 100), (45, 190), (20, 280)].enumerated().map { index, place in
            var satellite = Satellite(id: SatelliteID(.gps, UInt8(index + 1)), isUsed: true)
            (satellite.elevation, satellite.azimuth) = (Int16(place.0), Int16(place.1))
            return satellite
        }
        epoch.fix.dilution.horizontal = 1.25
        var skies = try reports([epoch])[0].filter { $0["class"] as? String == "SKY" }
        #expect(skies.count == 1)
        #expect(skies[0]["hdop"] as? Double == 1.25 && skies[0]["vdop"] != nil)
        #expect((skies[0]["satellites"] as? [Object])?.count == 4)
        // The receiver told its dilutions behind the satellites.
        epoch.fix.dilution.northing = 0.75
        epoch.skyDilution = DilutionOfPrecision()
        skies = try reports([epoch])[0].filter { $0["class"] as? String == "SKY" }
        #expect(skies.count == 2 && skies[0]["hdop"] as? Double != 1.25)
        #expect(skies[1]["hdop"] as? Double == 1.25 && skies[1]["ydop"] as? Double == 0.75)
        #expect(skies[1]["satellites"] == nil)
    }

    @Test func `missing errors are computed as dilution times gpsd's factors`() throws {
        var epoch = fixEpoch()
        (epoch.fix.dilution.easting, epoch.fix.dilution.northing) = (0.5, 0.75)
        (epoch.fix.dilution.horizontal, epoch.fix.dilution.vertical, epoch.fix.dilution.position) = (1, 2, 3)
        var tpv = try object("TPV", reports([epoch])[0])
        #expect(tpv["epx"] as? Double == 7.5 && tpv["epy"] as? Double == 11.25 && tpv["epv"] as? Double == 46)
        #expect(tpv["eph"] as? Double == 19 && tpv["sep"] as? Double == 57)
        epoch.fix.quality = .differential
        tpv = try object("TPV", reports([epoch])[0])
        #expect(tpv["epx"] as? Double == 1.875 && tpv["epy"] as? Double == 2.813 && tpv["epv"] as? Double == 11.5)
        #expect(tpv["eph"] as? Double == 4.75 && tpv["sep"] as? Double == 14.25)
        epoch.fix.horizontalAccuracy = 1.25
        epoch.fix.verticalAccuracy = 2.5
        epoch.fix.speedAccuracy = 0.25
        epoch.fix.courseAccuracy = 3
        tpv = try object("TPV", reports([epoch])[0])
        #expect(tpv["eph"] as? Double == 1.25 && tpv["epv"] as? Double == 2.5)
        #expect(tpv["eps"] as? Double == 0.25 && tpv["epd"] as? Double == 3)
    }

    @Test func `climb and the errors of motion are computed from two epochs`() throws {
        var epochs = [fixEpoch(), fixEpoch(seconds: 2)]
        for index in epochs.indices {
            (epochs[index].fix.dilution.easting, epochs[index].fix.dilution.northing) = (0.5, 1)
            epochs[index].fix.dilution.vertical = 2
        }
        epochs[1].fix.heightAboveEllipsoid = 550.6
        // 0.001 degrees of latitude are 111.195 m on the sphere of the mean radius.
        epochs[1].fix.latitude = 47.2862395
        epochs[1].fix.speed = nil
        let tpv = try object("TPV", reports(epochs)[1])
        #expect(tpv["climb"] as? Double == 1.5)
        #expect(tpv["eps"] as? Double == 15 && tpv["epc"] as? Double == 46)
        #expect(tpv["speed"] as? Double == 55.598)
        // 2 asin(15 / hypot(111.195, 15)) = 15.365 degrees.
        #expect((tpv["epd"] as? Double).map { abs($0 - 15.3650) < 5e-4 } == true)
    }

    @Test func `the receiver's own velocity is used for climb`() throws {
        var epochs = [fixEpoch(), fixEpoch(seconds: 1)]
        epochs[1].fix.heightAboveEllipsoid = 600
        epochs[1].fix.velocity = VelocityNED(north: 1, east: 2, down: -0.25)
        let tpv = try object("TPV", reports(epochs)[1])
        #expect(tpv["climb"] as? Double == 0.25)
        #expect(tpv["velN"] as? Double == 1 && tpv["velE"] as? Double == 2 && tpv["velD"] as? Double == -0.25)
    }

    @Test func `after a lost fix the differences between epochs start again`() throws {
        let tpv = try object("TPV", reports([fixEpoch(), fixEpoch(seconds: 1, type: .noFix), fixEpoch(seconds: 2)])[2])
        #expect(tpv["climb"] == nil)
    }

    @Test(arguments: [
        (SatelliteID(.gps, 5), 5), (SatelliteID(.sbas, 120), 33), (SatelliteID(.sbas, 151), 64),
        (SatelliteID(.sbas, 158), 158),
        (SatelliteID(.galileo, 3), 303), (SatelliteID(.beidou, 6), 406), (SatelliteID(.imes, 1), 173),
        (SatelliteID(.qzss, 2), 194), (SatelliteID(.glonass, 8), 72), (SatelliteID(.glonass, 255), 0),
        (SatelliteID(.navic, 4), 504),
    ])
    func `each satellite has gpsd's PRN number`(id: SatelliteID, prn: Int) throws {
        var epoch = fixEpoch()
        epoch.hasSky = true
        epoch.satellites = [Satellite(id: id, isUsed: true)]
        let sky = try object("SKY", reports([epoch])[0])
        let satellite = try #require((sky["satellites"] as? [Object])?.first)
        #expect(satellite["PRN"] as? Int == prn)
        #expect(
            satellite["gnssid"] as? Int == Int(id.constellation.rawValue) && satellite["svid"] as? Int == Int(id.number)
        )
    }

    @Test func `a sky view is a SKY with dilutions computed from its geometry`() throws {
        var epoch = fixEpoch()
        epoch.hasSky = true
        let sky: [(elevation: Int16, azimuth: Int16, isUsed: Bool)] = [
            (60, 10, true), (30, 100, true), (45, 190, true), (20, 280, true), (75, 45, true), (10, 330, false),
        ]
        epoch.satellites = sky.enumerated().map { index, place in
            var satellite = Satellite(id: SatelliteID(.gps, UInt8(index + 1)), isUsed: place.isUsed)
            (satellite.elevation, satellite.azimuth) = (place.elevation, place.azimuth)
            satellite.carrierToNoise = 40
            return satellite
        }
        // The same satellite on another signal is another range; both counts are of entries.
        var second = epoch.satellites[0]
        second.signal = 3
        epoch.satellites.append(second)
        let object = try object("SKY", reports([epoch])[0])
        #expect(object["nSat"] as? Int == 7 && object["uSat"] as? Int == 6)
        let first = try #require((object["satellites"] as? [Object])?.first)
        #expect(first["el"] as? Double == 60 && first["az"] as? Double == 10 && first["ss"] as? Double == 40)
        #expect(first["used"] as? Bool == true && first["sigid"] == nil)
        let used = (sky + [sky[0]]).filter(\.isUsed)
        let covariance = try #require(inverse(normalMatrix(used.map { ($0.elevation, $0.azimuth) })))
        let diagonal = (0..<4).map { covariance[$0][$0] }
        for (name, variance) in [
            ("xdop", diagonal[0]), ("ydop", diagonal[1]), ("vdop", diagonal[2]), ("tdop", diagonal[3]),
            ("hdop", diagonal[0] + diagonal[1]), ("pdop", diagonal[0] + diagonal[1] + diagonal[2]),
            ("gdop", diagonal.reduce(0, +)),
        ] {
            let value = try #require(object[name] as? Double, "\(name)")
            #expect(abs(value - variance.squareRoot()) <= 0.005_001, "\(name)")
        }
    }

    @Test(arguments: [0, 3])
    func `too few satellites, or all in one direction, give no dilutions`(used: Int) throws {
        var epoch = fixEpoch()
        epoch.hasSky = true
        epoch.satellites = (1...6).map { number in
            var satellite = Satellite(id: SatelliteID(.gps, UInt8(number)), isUsed: used == 0 || number <= used)
            (satellite.elevation, satellite.azimuth) = used == 0 ? (45, 90) : (Int16(number * 10), Int16(number * 50))
            return satellite
        }
        let sky = try object("SKY", reports([epoch])[0])
        #expect(sky["hdop"] == nil && sky["gdop"] == nil && sky["nSat"] as? Int == 6)
    }

    /// The normal matrix of rows (east, north, up, 1).
    private func normalMatrix(_ places: [(Int16, Int16)]) -> [[Double]] {
        var matrix = [[Double]](repeating: [0, 0, 0, 0], count: 4)
        for (elevation, azimuth) in places {
            let (e, a) = (Double(elevation) * .pi / 180, Double(azimuth) * .pi / 180)
            let row = [cos(e) * sin(a), cos(e) * cos(a), sin(e), 1]
            for i in 0..<4 { for j in 0..<4 { matrix[i][j] += row[i] * row[j] } }
        }
        return matrix
    }

    /// The inverse by Gauss and Jordan with pivots; another way than the code's.
    private func inverse(_ matrix: [[Double]]) -> [[Double]]? {
        var rows = matrix.enumerated().map { index, row in row + (0..<4).map { $0 == index ? 1 : 0 } }
        for column in 0..<4 {
            guard let pivot = (column..<4).max(by: { abs(rows[$0][column]) < abs(rows[$1][column]) }),
                abs(rows[pivot][column]) > 1e-12
            else { return nil }
            rows.swapAt(column, pivot)
            let scale = rows[column][column]
            rows[column] = rows[column].map { $0 / scale }
            for other in 0..<4 where other != column {
                let factor = rows[other][column]
                for index in 0..<8 { rows[other][index] -= factor * rows[column][index] }
            }
        }
        return rows.map { Array($0.suffix(4)) }
    }

    @Test func `error statistics are reported as GST`() throws {
        var epoch = fixEpoch()
        var errors = ErrorStatistics()
        (errors.rangeRMS, errors.semiMajor, errors.latitude, errors.altitude) = (1.5, 2.5, 3.5, 4.5)
        epoch.errors = errors
        let gst = try object("GST", reports([epoch], device: "/dev/ttyAMA0")[0])
        #expect(gst["rms"] as? Double == 1.5 && gst["major"] as? Double == 2.5)
        #expect(gst["lat"] as? Double == 3.5 && gst["alt"] as? Double == 4.5 && gst["minor"] == nil)
        #expect(gst["device"] as? String == "/dev/ttyAMA0")
    }

    @Test func `values that are not finite are left out, and the line stays valid JSON`() throws {
        var epoch = fixEpoch()
        epoch.fix.speed = .nan
        epoch.fix.courseOverGround = .infinity
        epoch.fix.geoidSeparation = 1e300
        let tpv = try object("TPV", reports([epoch], device: "/dev/\"odd\\\n")[0])
        #expect(tpv["speed"] == nil && tpv["track"] == nil && tpv["geoidSep"] == nil)
        #expect(tpv["device"] as? String == "/dev/\"odd\\\n")
    }
}
