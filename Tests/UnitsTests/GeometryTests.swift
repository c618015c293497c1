import Glibc
import SextantUnits
import Testing

@Suite("Trigonometry")
struct TrigonometryTests {
    /// Differences in units in the last place of `expected`.
    private func error(_ value: Double, _ expected: Double) -> Double {
        value == expected ? 0 : abs(value - expected) / expected.ulp
    }

    @Test func `sine and cosine agree with the C library to 2 units in the last place`() {
        for step in -8000...8000 {
            let angle = Double(step) * 0.000_785_1
            let (sine, cosine) = Trigonometry.sineAndCosine(angle)
            // Next to a zero the unit is that of the reduced argument.
            #expect(error(sine, Glibc.sin(angle)) <= 2 || abs(sine - Glibc.sin(angle)) < 1e-16, "sin \(angle)")
            #expect(error(cosine, Glibc.cos(angle)) <= 2 || abs(cosine - Glibc.cos(angle)) < 1e-16, "cos \(angle)")
        }
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300])
    func `invalid angles give NaN, and never trap`(value: Double) {
        #expect(Trigonometry.sineAndCosine(value).sine.isNaN && Trigonometry.sineAndCosine(value).cosine.isNaN)
        #expect(Trigonometry.arctangent(y: .nan, x: value).isNaN && Trigonometry.arctangent(y: value, x: .nan).isNaN)
        #expect(Trigonometry.arctangent(y: .infinity, x: .infinity).isNaN)
        #expect(Trigonometry.arctangent(y: .leastNonzeroMagnitude, x: 1e-160).isFinite)
    }

    @Test func `the arctangent agrees with the C library to 2 units in the last place in all quadrants`() {
        for step in 0..<10_000 {
            let angle = Double(step) * 0.000_628_318_53 - .pi
            let (y, x) = (Glibc.sin(angle) * 6.4e6, Glibc.cos(angle) * 6.4e6)
            #expect(error(Trigonometry.arctangent(y: y, x: x), Glibc.atan2(y, x)) <= 2, "\(angle)")
        }
    }

    @Test(
        arguments: [
            (0, 1, 0), (1, 0, Double.pi / 2), (0, -1, Double.pi), (-1, 0, -Double.pi / 2), (0, 0, 0),
            (1, 1, Double.pi / 4),
            (-1, -1, -3 * Double.pi / 4), (1e-300, 1, 1e-300),
        ] as [(Double, Double, Double)])
    func `the arctangent is exact on the axes`(y: Double, x: Double, expected: Double) {
        #expect(Trigonometry.arctangent(y: y, x: x) == expected)
    }

    @Test func `the arcsine agrees with the C library, and is clamped`() {
        for step in -1000...1000 {
            let value = Double(step) / 1000
            #expect(abs(Trigonometry.arcsine(value) - Glibc.asin(value)) < 1e-14, "\(value)")
        }
        #expect(Trigonometry.arcsine(1.5) == .pi / 2 && Trigonometry.arcsine(-7) == -.pi / 2)
    }
}

@Suite("WGS 84")
struct WGS84Tests {
    /// The closed formula the other way.
    ///
    /// Source: NGA.STND.0036, equation 4-14.
    private func earthFixed(_ latitude: Double, _ longitude: Double, _ height: Double) -> (Double, Double, Double) {
        let (phi, lambda) = (latitude * .pi / 180, longitude * .pi / 180)
        let flattening = 1 / 298.257223563
        let eccentricitySquared = flattening * (2 - flattening)
        let normal = 6_378_137 / (1 - eccentricitySquared * pow(sin(phi), 2)).squareRoot()
        return (
            (normal + height) * cos(phi) * cos(lambda), (normal + height) * cos(phi) * sin(lambda),
            (normal * (1 - eccentricitySquared) + height) * sin(phi)
        )
    }

    @Test(arguments: [-10_000.0, -430, 0, 100, 8848, 40_000, 400_000, 20_200_000])
    func `a point converts to Earth-fixed axes and back to a tenth of a millimetre`(height: Double) throws {
        for latitude in stride(from: -90.0, through: 90, by: 7.5) {
            for longitude in stride(from: -172.5, through: 180, by: 37.5) {
                let (x, y, z) = earthFixed(latitude, longitude, height)
                let place = try #require(WGS84.geodetic(x: x, y: y, z: z))
                #expect(abs(place.latitude - latitude) < 1e-9, "\(latitude) \(longitude)")
                #expect(abs(place.longitude - longitude) < 1e-9 || abs(latitude) == 90, "\(latitude) \(longitude)")
                #expect(abs(place.height - height) < 1e-4, "\(latitude) \(longitude)")
            }
        }
    }

    @Test func `a point at the Earth's centre has no geodetic position`() {
        #expect(WGS84.geodetic(x: 0, y: 0, z: 0) == nil)
        #expect(WGS84.geodetic(x: 30_000, y: 30_000, z: -30_000) == nil)
    }

    @Test func `a velocity is rotated into the local frame`() throws {
        let place = try #require(WGS84.geodetic(x: 0, y: 6_378_137, z: 0))
        let local = place.northEastDown(x: 1, y: 2, z: 3)
        #expect(abs(local.north - 3) < 1e-12 && abs(local.east + 1) < 1e-12 && abs(local.down + 2) < 1e-12)
    }
}

@Suite("Date references")
struct DateReferenceTests {
    @Test func `every date is moved to within 512 weeks of the reference`() {
        let reference = UTCInstant(nanoseconds: 1_789_905_600_000_000_000)
        let week: Int64 = 604_800_000_000_000
        for weeks in stride(from: Int64(-4000), through: 4000, by: 13) {
            let instant = reference.advanced(byNanoseconds: weeks * week)
            let near = DateReference.near(reference).mended(instant)
            let before = DateReference.notAfter(reference).mended(instant)
            #expect(abs(near.nanoseconds - reference.nanoseconds) <= 512 * week)
            #expect((near.nanoseconds - instant.nanoseconds) % (1024 * week) == 0)
            #expect(before <= reference && reference.nanoseconds - before.nanoseconds < 1024 * week)
            #expect((before.nanoseconds - instant.nanoseconds) % (1024 * week) == 0)
        }
    }

    @Test func `a reference date at which a receiver could be used gives valid results for any other date`() throws {
        let dates = try ["1980-01-01", "2026-09-20", "2240-12-31"].map { try #require(CivilDate(iso8601: $0)) }
        for reference in dates {
            let instant = UTCInstant(date: reference, timeOfDay: 86_400_999_999_999)
            #expect(reference.isReceivable)
            for other in dates {
                let mended = DateReference.near(instant).mended(UTCInstant(date: other, timeOfDay: 0))
                #expect(abs(mended.nanoseconds - instant.nanoseconds) <= 512 * 604_800_000_000_000)
            }
        }
        for text in ["0001-01-01", "1979-12-31", "2241-01-01", "9999-12-31"] {
            #expect(try #require(CivilDate(iso8601: text)).isReceivable == false)
        }
    }

    @Test(arguments: ["2026-09-20", "1999-12-31", "2024-02-29"])
    func `an ISO 8601 date is read`(text: String) throws {
        let date = try #require(CivilDate(iso8601: text))
        #expect(CivilDate(daysSince1970: date.daysSince1970) == date)
    }

    @Test(arguments: [
        "2026-9-20", "2026-02-30", "2026/09/20", "", "20260920", "2026-09-2x", "+026-09-20", "2026-99-99",
    ])
    func `an invalid ISO 8601 date is refused`(text: String) {
        #expect(CivilDate(iso8601: text) == nil)
    }
}

@Suite("Great circle")
struct GreatCircleTests {
    @Test(
        arguments: [
            (0, 0, 0, 0, 0), (0, 0, 0, 180, 20_015_114.4), (90, 0, -90, 77, 20_015_114.4),
            (47, 8, 48, 8, 111_195.1), (0, 179.5, 0, -179.5, 111_195.1), (60, 10, 60, 10.001, 55.598),
        ] as [(Double, Double, Double, Double, Double)])
    func `distances are those on the mean sphere, also across the poles and the antimeridian`(
        latitude: Double, longitude: Double, otherLatitude: Double, otherLongitude: Double, metres: Double
    ) {
        let distance = GreatCircle.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: otherLatitude, longitude: otherLongitude)
        #expect(abs(distance - metres) <= 0.1)
    }

    @Test func `a distance of a centimetre is preserved`() {
        let distance = GreatCircle.distance(
            fromLatitude: 47.376_888_1, longitude: 8.541_694, toLatitude: 47.376_888_19, longitude: 8.541_694)
        #expect(abs(distance - 0.010_007_5) < 1e-6)
    }
}
