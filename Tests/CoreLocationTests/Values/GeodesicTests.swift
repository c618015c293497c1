import CoreLocation
import Testing

@Suite("Distance")
struct GeodesicTests {
    private func location(_ latitude: Double, _ longitude: Double, altitude: Double = 0) -> CLLocation {
        CLLocation(
            coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: altitude,
            horizontalAccuracy: 0, verticalAccuracy: 0, timestamp: Date(timeIntervalSince1970: 0))
    }

    /// On the WGS84 ellipsoid a degree of the equator is 111,319.491 m, the first degree of a meridian 110,574.389 m,
    /// the last 111,693.865 m, and from equator to pole it is 10,001,965.729 m.
    @Test(arguments: [
        ((0.0, 0.0), (0.0, 1.0), 111_319.491), ((0, 0), (1, 0), 110_574.389), ((89, 0), (90, 0), 111_693.865),
        ((0, 0), (90, 0), 10_001_965.729), ((90, 0), (90, 77), 0), ((0, 179.5), (0, -179.5), 111_319.491),
    ])
    func `LOC-04: known distances are right to the millimetre`(
        start: (Double, Double), end: (Double, Double), length: Double
    ) {
        let distance = location(end.0, end.1).distance(from: location(start.0, start.1))
        #expect(abs(distance - length) < 0.000_6, "\(distance)")
    }

    @Test func `LOC-04: the distance from Los Angeles to New York is right to a metre`() {
        let distance = location(33.9424964, -118.4080486).distance(from: location(40.6399278, -73.7786925))
        #expect(abs(distance - 3_982_961) < 1)
    }

    @Test func `LOC-04: the distance is the same in both directions, to the last bit`() {
        for (a, b) in [((48.1, 11.5), (52.5, 13.4)), ((-33.9, 151.2), (37.8, -122.4)), ((0, 179.9), (0.1, -179.9))] {
            let there = location(a.0, a.1).distance(from: location(b.0, b.1))
            let back = location(b.0, b.1).distance(from: location(a.0, a.1))
            #expect(there == back && there > 0)
        }
    }

    @Test func `LOC-04: equal coordinates are 0 m apart, whatever their altitude`() {
        #expect(location(48.1, 11.5).distance(from: location(48.1, 11.5, altitude: 8_000)) == 0)
        #expect(location(48.1, 180).distance(from: location(48.1, -180)) == 0)
    }

    @Test func `a distance of one centimetre is measured correctly`() {
        let distance = location(48.1, 11.5).distance(from: location(48.1 + 1e-7, 11.5))
        #expect(abs(distance - 0.011_12) < 0.000_02)
    }

    /// `GeodSolve -i -p 9` of GeographicLib 2.1.2.
    @Test func `LOC-04: nearly antipodal places have their shortest distance`() {
        for (a, b, length) in [
            ((0.0, 0.0), (0.5, 179.5), 19_936_288.578_965_314), ((30, 0), (-30, 179.9), 20_003_008.421_509_411),
            ((90, 0), (-90, 0), 20_003_931.458_625_4),
        ] {
            #expect(abs(location(a.0, a.1).distance(from: location(b.0, b.1)) - length) < 1e-6)
        }
    }

    @Test func `an invalid coordinate has no distance to anywhere`() {
        #expect(location(90.1, 0).distance(from: location(0, 0)).isNaN)
        #expect(location(.nan, 0).distance(from: location(0, 0)).isNaN)
    }
}
