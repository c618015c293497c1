import Magnetism
import SextantUnits
import Testing

@Suite("World magnetic model")
struct WorldMagneticModelTests {
    private func field(
        _ latitude: Double, _ longitude: Double, altitude: Double = 0, year: Double = 2026.5
    ) throws -> GeomagneticField {
        try #require(
            WorldMagneticModel.field(
                latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: year))
    }

    private func check(_ point: WorldModelPoint) throws {
        let field = try field(
            point.latitude, point.longitude, altitude: 1000 * point.altitude, year: point.decimalYear)
        let strengths = [field.horizontal, field.north, field.east, field.down, field.total]
        for (mine, theirs) in zip(strengths, point.strengths) {
            #expect(abs(mine - theirs) <= point.tolerance, "\(point)")
        }
        #expect(abs(field.declination - point.declination) <= 0.0051, "\(point)")
        #expect(abs(field.inclination - point.inclination) <= 0.0051, "\(point)")
    }

    @Test func `some of the official test values are reproduced`() throws {
        for point in TestValues.some { try check(point) }
    }

    @Test(.enabled(if: TestValues.exist, TestValues.absent))
    func `all official test values are reproduced`() throws {
        let points = try TestValues.read()
        #expect(points.count { $0.tolerance == 0.01 } == 100)
        #expect(points.count { $0.tolerance > 0.01 } == 12)
        for point in points { try check(point) }
    }

    @Test(arguments: [90.0, -90])
    func `at a pole the field is continuous along every meridian`(latitude: Double) throws {
        let beside = latitude - latitude.sign(of: 1e-9)
        let greenwich = try field(latitude, 0)
        for longitude in stride(from: -180.0, through: 180, by: 30) {
            let (pole, near) = (try field(latitude, longitude), try field(beside, longitude))
            #expect(abs(pole.north - near.north) < 0.01 && abs(pole.east - near.east) < 0.01)
            #expect(abs(pole.down - near.down) < 0.01)
            #expect(abs(pole.horizontal - greenwich.horizontal) < 1e-6 && abs(pole.down - greenwich.down) < 1e-6)
            // North along another meridian is another direction: the declination turns with the longitude.
            let turned = greenwich.declination + latitude.sign(of: longitude) - pole.declination
            #expect(abs(turned.remainder(dividingBy: 360)) < 1e-6)
        }
    }

    @Test(arguments: [-60.0, 0, 71.3])
    func `longitudes of 180 and -180 degrees give the same field`(latitude: Double) throws {
        #expect(try field(latitude, 180) == field(latitude, -180))
        let (east, west) = (try field(latitude, 180 - 1e-9), try field(latitude, 180 + 1e-9))
        #expect(abs(east.north - west.north) < 0.01 && abs(east.east - west.east) < 0.01)
        let (whole, less) = (try field(latitude, 250), try field(latitude, -110))
        #expect(abs(whole.north - less.north) < 1e-6 && abs(whole.east - less.east) < 1e-6)
    }

    @Test func `an invalid coordinate has no field`() {
        for (latitude, longitude, altitude) in [
            (90.1, 0.0, 0.0), (.nan, 0, 0), (0, .nan, 0), (0, 361, 0), (0, 0, 850_001), (0, 0, -1001), (0, 0, .nan),
        ] {
            #expect(
                WorldMagneticModel.field(
                    latitude: latitude, longitude: longitude, altitude: altitude, decimalYear: 2026) == nil)
        }
        #expect(WorldMagneticModel.field(latitude: 0, longitude: 0, altitude: 0, decimalYear: .nan) == nil)
    }

    @Test(arguments: [
        ("2025-01-01", 2025.0), ("2027-07-02T12:00", 2027.5), ("2028-07-02", 2028.5), ("2029-12-31T24:00", 2030),
        ("2024-12-31T12:00", 2025 - 0.5 / 366), ("1969-07-02T12:00", 1969.5),
    ])
    func `the decimal year counts the days of its year`(text: String, year: Double) throws {
        let midnight = text.replacing("T24:00", with: "")
        let parsed = try #require(UTCInstant(iso8601: midnight))
        let instant = midnight == text ? parsed : parsed.advanced(byNanoseconds: UTCInstant.nanosecondsPerDay)
        #expect(abs(WorldMagneticModel.decimalYear(of: instant) - year) < 1e-12 * 2030)
        let (one, other) = (
            WorldMagneticModel.field(latitude: 48, longitude: 11, altitude: 500, at: instant),
            try field(48, 11, altitude: 500, year: year)
        )
        #expect(one.map { abs($0.north - other.north) < 1e-6 } == true)
    }

    @Test func `the model is valid from 2025 until 2030, and says so before and after`() throws {
        let years = [1970, 2024.999, 2025, 2027, 2029.9999, 2030, 2034]
        let standings = try years.map { try field(48, 11, year: $0).validity }
        #expect(standings == [.before, .before, .valid, .valid, .valid, .after, .after])
        for validity in [WorldModelValidity.before, .after] {
            #expect(validity.description.contains("without known errors"))
        }
        #expect(try field(48, 11, year: 2030).uncertainty == nil)
        #expect(try field(48, 11, year: 2024).uncertainty == nil)
    }

    @Test func `the declination is less certain where the horizontal field is weaker`() throws {
        let munich = try field(48.137, 11.575, altitude: 560)
        let uncertainty = try #require(munich.uncertainty)
        let byStrength = 5417 / munich.horizontal
        #expect(abs(uncertainty.declination - (0.0676 + byStrength * byStrength).squareRoot()) < 1e-12)
        #expect(uncertainty.declination < 0.4)
        #expect(GeomagneticUncertainty(horizontal: 0).declination == 180)
        #expect(GeomagneticUncertainty(horizontal: 2000).declination > 2.7)
    }

    @Test func `zones around the magnetic poles are marked as unreliable for compasses`() throws {
        #expect(try field(48, 11).compassZone == .usable)
        // The north magnetic pole of 2026 is near 86° N 138° E.
        #expect(try field(86, 138).compassZone == .blackout)
        #expect(try field(80, 87).compassZone == .caution)
        #expect(CompassZone(horizontal: 1999.9) == .blackout && CompassZone(horizontal: 2000) == .caution)
        #expect(CompassZone(horizontal: 5999.9) == .caution && CompassZone(horizontal: 6000) == .usable)
    }
}

extension Double {
    /// `value` with this number's sign.
    fileprivate func sign(of value: Double) -> Double { self < 0 ? -value : value }
}
