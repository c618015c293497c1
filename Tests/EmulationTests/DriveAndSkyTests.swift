import GNSS
import Glibc
import SextantUnits
import Testing

@testable import Emulation

@Suite("SyntheticDrive") struct SyntheticDriveTests {
    @Test func `starts parked at the start position`() {
        let motion = SyntheticDrive(start: Samples.place, seed: 3).motion(atSeconds: 10)
        #expect(motion.latitude == 52.52)
        #expect(motion.longitude == 13.405)
        #expect(motion.altitudeAboveMeanSeaLevel == 34)
        #expect(motion.speed == 0)
    }

    @Test(arguments: [1, 2, 3, 40, 500] as [UInt64])
    func `the positions match the velocity, which changes smoothly and within limits`(seed: UInt64) {
        let drive = SyntheticDrive(start: Samples.place, seed: seed)
        let step = 0.05
        var before = drive.motion(atSeconds: 0)
        var fastest = 0.0
        for index in 1..<Int(drive.lapSeconds * 1.2 / step) {
            let now = drive.motion(atSeconds: Double(index) * step)
            let north = (now.latitude - before.latitude) * 111_270
            let east = (now.longitude - before.longitude) * 111_320 * cos(52.52 * .pi / 180)
            #expect(abs(hypot(north, east) / step - (now.speed + before.speed) / 2) < 0.2)
            #expect(abs(now.speed - before.speed) / step < 3)
            #expect(abs(now.altitudeAboveMeanSeaLevel - before.altitudeAboveMeanSeaLevel) < 0.1)
            fastest = max(fastest, now.speed)
            before = now
        }
        #expect(fastest > 12 && fastest <= 25)
    }

    @Test func `turns, stops and comes home`() {
        let drive = SyntheticDrive(start: Samples.place, seed: 3)
        let lap = (0..<Int(drive.lapSeconds)).map { drive.motion(atSeconds: Double($0)) }
        #expect(Set(lap.map { Int($0.courseOverGround / 45) }).count >= 4)
        #expect(zip(lap, lap.dropFirst()).count { $0.speed > 0 && $1.speed == 0 } >= 3)
        let home = drive.motion(atSeconds: drive.lapSeconds - 0.001)
        #expect(abs(home.latitude - 52.52) < 1e-6 && abs(home.longitude - 13.405) < 1e-6)
    }
}

@Suite("SyntheticSky") struct SyntheticSkyTests {
    private static func view(_ latitude: Double, _ longitude: Double, seconds: Int64) -> SyntheticSky.View {
        SyntheticSky(constellations: SyntheticSky.allConstellations, longitude: longitude, seed: 5).view(
            latitude: latitude,
            longitude: longitude,
            height: 80,
            at: Samples.start.advanced(byNanoseconds: seconds * 1_000_000_000),
            reception: .complete
        )
    }

    @Test(arguments: [(52.5, 13.4), (-33.9, 151.2), (1.3, 103.8), (69.6, 18.9), (37.8, -122.4)])
    func `has plausible satellites and dilutions of precision everywhere`(latitude: Double, longitude: Double) throws {
        for hour in 0..<24 {
            let view = Self.view(latitude, longitude, seconds: Int64(hour) * 3600)
            #expect((20...70).contains(view.satellites.count))
            #expect(view.satellites.count { $0.id.constellation == .gps } >= 6)
            #expect(view.satellites.allSatisfy { (0...90).contains($0.elevation ?? -1) })
            #expect(view.satellites.allSatisfy { (0...359).contains($0.azimuth ?? -1) })
            #expect(view.satellites.allSatisfy { $0.carrierToNoise ?? 20 <= 55 })
            for satellite in view.satellites where satellite.isUsed {
                #expect(satellite.elevation ?? 0 >= 10 && satellite.carrierToNoise ?? 0 >= 25)
            }
            let horizontal = try #require(view.dilution.horizontal)
            let vertical = try #require(view.dilution.vertical)
            let position = try #require(view.dilution.position)
            let time = try #require(view.dilution.time)
            let geometric = try #require(view.dilution.geometric)
            #expect((0.3...1.5).contains(horizontal))
            #expect((0.4...2.5).contains(vertical))
            #expect(abs(position - hypot(horizontal, vertical)) < 1e-9)
            #expect(abs(geometric - hypot(position, time)) < 1e-9)
        }
    }

    @Test func `satellites move slowly across the sky`() throws {
        let before = Self.view(52.5, 13.4, seconds: 0).satellites
        let after = Self.view(52.5, 13.4, seconds: 60).satellites
        var moved = 0
        for satellite in before {
            guard let later = after.first(where: { $0.id == satellite.id }) else { continue }
            let turn = abs(try #require(later.elevation) - #require(satellite.elevation))
            #expect(turn <= 1)
            if turn > 0 { moved += 1 }
        }
        #expect(moved > 4)
    }

    @Test func `two SBAS satellites are visible from Berlin`() {
        let numbers = Self.view(52.5, 13.4, seconds: 0).satellites.filter { $0.id.constellation == .sbas }
        #expect(numbers.map(\.id.number) == [123, 136])
    }

    @Test func `a 2D fix uses three satellites and has no vertical dilution`() {
        let sky = SyntheticSky(constellations: [.gps], longitude: 13.4, seed: 5)
        let reception = SyntheticSky.Reception(share: 1, fixType: .twoD)
        let view = sky.view(latitude: 52.5, longitude: 13.4, height: 80, at: Samples.start, reception: reception)
        #expect(view.satellites.count { $0.isUsed } == 3)
        #expect(view.dilution.vertical == nil)
        #expect(view.dilution.horizontal ?? 99 < 10)
    }
}

@Suite("Dilution") struct DilutionTests {
    /// By hand: the clock has variance 1/3 from the three on the horizon, the height 1 + 1/3, east and north 2/3 each.
    @Test func `the dilution of precision of one satellite overhead and three on the horizon is right`() throws {
        let horizon = (0..<3).map { SkyDirection(elevation: 0, azimuth: Double($0) * 2 * .pi / 3) }
        let overhead = SkyDirection(elevation: .pi / 2, azimuth: 0)
        let dilution = try #require(Dilution.dilution(of: horizon + [overhead], isHeightHeld: false))
        #expect(abs((dilution.horizontal ?? 0) - (4.0 / 3).squareRoot()) < 1e-9)
        #expect(abs((dilution.vertical ?? 0) - (4.0 / 3).squareRoot()) < 1e-9)
        #expect(abs((dilution.time ?? 0) - (1.0 / 3).squareRoot()) < 1e-9)
        #expect(abs((dilution.geometric ?? 0) - 3.0.squareRoot()) < 1e-9)
    }

    @Test func `four satellites on one cone have no dilution of precision`() {
        let cone = (0..<4).map { SkyDirection(elevation: 0.5, azimuth: Double($0)) }
        #expect(Dilution.dilution(of: cone, isHeightHeld: false) == nil)
    }
}
