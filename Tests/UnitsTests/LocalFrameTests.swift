import SextantUnits
import Testing

@Suite("Local frame")
struct LocalFrameTests {
    /// The worst error of a distance from the origin over all directions; metres.
    private func worst(atLatitude latitude: Double, distance: Double) -> Double {
        stride(from: 0.0, to: 360, by: 5).map { azimuth in
            let end = Geodesic.direct(fromLatitude: latitude, longitude: 179.99, azimuth: azimuth, distance: distance)
            let found = LocalFrame.distance(
                fromLatitude: latitude, longitude: 179.99, toLatitude: end.latitude, longitude: end.longitude)
            return abs(found - distance)
        }.max() ?? .infinity
    }

    @Test(
        arguments: [
            (1000, 0.000_04), (5000, 0.005), (10_000, 0.04), (20_000, 0.3), (100_000, 40),
        ] as [(Double, Double)])
    func `below 80 degrees of latitude, distances from the origin agree with the geodesic's`(
        metres: Double, bound: Double
    ) {
        for latitude in stride(from: -80.0, through: 80, by: 5) {
            #expect(worst(atLatitude: latitude, distance: metres) < bound, "\(latitude)")
        }
    }

    @Test(
        arguments: [
            (85, 1000, 0.000_2), (85, 10_000, 0.16), (89, 1000, 0.004), (89, 10_000, 4), (89.9, 100, 0.000_4),
            (89.9, 1000, 0.4),
        ] as [(Double, Double, Double)])
    func `near a pole, distances are right within a smaller area`(latitude: Double, metres: Double, bound: Double) {
        #expect(worst(atLatitude: latitude, distance: metres) < bound)
        #expect(worst(atLatitude: -latitude, distance: metres) < bound)
    }

    @Test func `the distance between two places far from the origin has a bounded relative error`() {
        let frame = LocalFrame(latitude: 60, longitude: 10)
        for azimuth in stride(from: 0.0, to: 360, by: 15) {
            let far = Geodesic.direct(fromLatitude: 60, longitude: 10, azimuth: azimuth, distance: 10_000)
            for other in stride(from: 0.0, to: 360, by: 15) {
                let beyond = Geodesic.direct(
                    fromLatitude: far.latitude, longitude: far.longitude, azimuth: other, distance: 100)
                let distance = frame.point(latitude: far.latitude, longitude: far.longitude)
                    .distance(to: frame.point(latitude: beyond.latitude, longitude: beyond.longitude))
                #expect(abs(distance - 100) < 0.3)
            }
        }
    }

    @Test func `a point converts to degrees and back, also across the antimeridian`() {
        for latitude in [-79.0, -45, 0, 10, 60, 80] {
            let frame = LocalFrame(latitude: latitude, longitude: -179.999)
            for (east, north) in [(0.0, 0.0), (-5000, 3000), (5000, -3000), (-10_000, 10_000)] {
                let there = frame.coordinate(of: LocalPoint(east: east, north: north))
                #expect(there.longitude >= -180 && there.longitude < 180)
                let back = frame.point(latitude: there.latitude, longitude: there.longitude)
                #expect(abs(back.east - east) < 1e-6 && abs(back.north - north) < 1e-6)
            }
        }
    }
}
