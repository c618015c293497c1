import ClientProtocol
import ClientVocabulary
import Foundation
import GNSS
import SextantJSON
import SextantUnits
import Testing

@Suite("Epoch object")
struct EpochObjectTests {
    private func object(_ epoch: Epoch) throws -> [String: Any] {
        var text = TextBuffer(capacity: 1)
        EpochObject.append(epoch, event: .epoch, hasSatellites: true, to: &text)
        let data = text.withBytes { bytes in Data(bytes.indices.map { bytes[$0] }) }
        return try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    }

    @Test func `an epoch without data has only its fix status`() throws {
        let object = try object(Epoch())
        #expect(Set(object.keys) == ["event", "fixType", "quality"])
        #expect(object["event"] as? String == "epoch" && object["fixType"] as? String == "noFix")
        #expect(object["quality"] as? String == "unknown")
    }

    @Test func `every known value is written, in the documented units`() throws {
        var epoch = Epoch()
        epoch.fix.type = .gnssPlusDeadReckoning
        epoch.fix.quality = .rtkFloat
        epoch.fix.time = UTCInstant(nanoseconds: 1_789_905_600_250_000_000)
        epoch.fix.isTimeValidated = true
        (epoch.fix.latitude, epoch.fix.longitude) = (-47.123456789, 179.999999999)
        (epoch.fix.altitudeAboveMeanSeaLevel, epoch.fix.heightAboveEllipsoid, epoch.fix.geoidSeparation) = (
            1.5, 49.5, 48
        )
        (epoch.fix.horizontalAccuracy, epoch.fix.verticalAccuracy, epoch.fix.speedAccuracy) = (0.014, 0.01, 0.05)
        (epoch.fix.speed, epoch.fix.courseOverGround, epoch.fix.courseAccuracy) = (12.345, 359.999, 0.5)
        (epoch.fix.heading, epoch.fix.magneticVariation) = (1.25, -3.25)
        epoch.fix.velocity = VelocityNED(north: 1, east: -2, down: 0.125)
        epoch.fix.ecefPosition = ECEFVector(x: 1.5, y: -2.5, z: 3.5)
        epoch.fix.ecefPositionAccuracy = 0.5
        (epoch.fix.dilution.horizontal, epoch.fix.dilution.northing) = (0.75, 0.5)
        (epoch.fix.satellitesUsed, epoch.fix.leapSeconds) = (17, 18)
        (epoch.fix.differentialAge, epoch.fix.differentialStation) = (1.5, 1023)
        epoch.fix.timeAccuracy = 25e-9
        let object = try object(epoch)
        #expect(object["time"] as? String == "2026-09-20T12:00:00.250Z" && object["timeValidated"] as? Bool == true)
        #expect(object["fixType"] as? String == "gnssPlusDeadReckoning" && object["quality"] as? String == "rtkFloat")
        let expected: [String: Double] = [
            "latitude": -47.123456789, "longitude": 179.999999999, "altitudeAboveMeanSeaLevel": 1.5,
            "heightAboveEllipsoid": 49.5, "geoidSeparation": 48, "horizontalAccuracy": 0.014, "verticalAccuracy": 0.01,
            "speedAccuracy": 0.05, "speed": 12.345, "course": 359.999, "courseAccuracy": 0.5, "heading": 1.25,
            "magneticVariation": -3.25, "satellitesUsed": 17, "leapSeconds": 18, "differentialAge": 1.5,
            "differentialStation": 1023, "timeAccuracy": 25e-9,
        ]
        for (key, value) in expected { #expect(object[key] as? Double == value, "\(key)") }
        #expect(object["velocity"] as? [String: Double] == ["north": 1, "east": -2, "down": 0.125])
        #expect(object["ecefPosition"] as? [String: Double] == ["x": 1.5, "y": -2.5, "z": 3.5, "accuracy": 0.5])
        #expect(object["dilutionOfPrecision"] as? [String: Double] == ["horizontal": 0.75, "northing": 0.5])
        #expect(object["ecefVelocity"] == nil && object["satellites"] == nil)
    }

    @Test func `a sky object lists every satellite with its known values`() throws {
        var epoch = Epoch()
        epoch.hasSky = true
        var satellite = Satellite(id: SatelliteID(.glonass, 5), isUsed: true)
        (satellite.signal, satellite.frequencySlot, satellite.quality) = (2, 8, 7)
        (satellite.elevation, satellite.azimuth, satellite.carrierToNoise) = (-5, 359, 44)
        (satellite.health, satellite.hasEphemeris, satellite.pseudorangeResidualDecimetres) = (.unhealthy, true, -13)
        epoch.satellites = [satellite, Satellite(id: SatelliteID(.gps, 1))]
        let all = try #require(try object(epoch)["satellites"] as? [[String: Any]])
        #expect(all.count == 2)
        #expect(all[0]["constellation"] as? String == "glonass" && all[0]["number"] as? Int == 5)
        #expect(all[0]["signal"] as? Int == 2 && all[0]["frequencySlot"] as? Int == 8 && all[0]["quality"] as? Int == 7)
        #expect(all[0]["elevation"] as? Int == -5 && all[0]["azimuth"] as? Int == 359)
        #expect(all[0]["carrierToNoise"] as? Int == 44 && all[0]["used"] as? Bool == true)
        #expect(all[0]["healthy"] as? Bool == false && all[0]["ephemeris"] as? Bool == true)
        #expect(all[0]["pseudorangeResidual"] as? Double == -1.3)
        #expect(Set(all[1].keys) == ["constellation", "number", "used"])
    }

    @Test func `a sky object without satellites has an empty list`() throws {
        var epoch = Epoch()
        epoch.hasSky = true
        #expect((try object(epoch)["satellites"] as? [Any])?.isEmpty == true)
    }

    @Test func `every name on the wire is that of its enum case`() throws {
        for type in FixType.allCases {
            var epoch = Epoch()
            epoch.fix.type = type
            #expect(try object(epoch)["fixType"] as? String == "\(type)")
        }
        for quality in FixQuality.allCases {
            var epoch = Epoch()
            epoch.fix.quality = quality
            #expect(try object(epoch)["quality"] as? String == "\(quality)")
        }
        var epoch = Epoch()
        epoch.hasSky = true
        epoch.satellites = Constellation.allCases.map { Satellite(id: SatelliteID($0, 1)) }
        let names = (try object(epoch)["satellites"] as? [[String: Any]])?.compactMap { $0["constellation"] as? String }
        #expect(names == Constellation.allCases.map { "\($0)" })
    }

    @Test func `values that are not finite numbers are left out`() throws {
        var epoch = Epoch()
        (epoch.fix.latitude, epoch.fix.speed, epoch.fix.horizontalAccuracy) = (.nan, .infinity, 1e300)
        epoch.fix.velocity = VelocityNED(north: .nan, east: 1, down: -.infinity)
        var errors = ErrorStatistics()
        errors.rangeRMS = .infinity
        epoch.errors = errors
        let object = try object(epoch)
        #expect(object["latitude"] == nil && object["speed"] == nil && object["horizontalAccuracy"] == nil)
        #expect(object["velocity"] as? [String: Double] == ["east": 1])
        #expect((object["errorStatistics"] as? [String: Any])?.isEmpty == true)
    }
}
