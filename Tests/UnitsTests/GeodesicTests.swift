import Glibc
import SextantUnits
import Testing

@Suite("Geodesic")
struct GeodesicTests {
    /// Two places, and the line between them as `GeodSolve -i -p 10` of GeographicLib 2.1.2 prints it.
    struct Known: Sendable {
        var from: (latitude: Double, longitude: Double)
        var to: (latitude: Double, longitude: Double)
        /// Degrees, 0 up to 360.
        var azimuths: (initial: Double, final: Double)
        /// Metres.
        var distance: Double
    }

    static let known: [Known] = [
        Known(
            from: (0, 0), to: (0.5, 179.5), azimuths: (25.671872868291882, 154.327085469941608),
            distance: 19_936_288.578965314),
        Known(
            from: (30, 0), to: (-30, 179.9), azimuths: (11.03029653263397, 168.96970346736603),
            distance: 20_003_008.421509411),
        Known(from: (90, 20), to: (10, 50), azimuths: (150, 180), distance: 8_896_110.896078352),
    ]

    private func line(_ from: (Double, Double), _ to: (Double, Double)) -> Geodesic.Line {
        Geodesic.inverse(fromLatitude: from.0, longitude: from.1, toLatitude: to.0, longitude: to.1)
    }

    @Test(arguments: known.indices)
    func `a known line has the right length to ten nanometres`(index: Int) {
        let known = Self.known[index]
        let line = line(known.from, known.to)
        #expect(abs(line.distance - known.distance) < 1e-8, "\(line.distance)")
        #expect(abs(line.initialAzimuth - known.azimuths.initial) < 1e-11, "\(line.initialAzimuth)")
        #expect(abs(line.finalAzimuth - known.azimuths.final) < 1e-11, "\(line.finalAzimuth)")
    }

    /// The girth of the meridian ellipse is 4 × 10 001 965.729 m, a degree of the equator πa/180.
    @Test(
        arguments: [
            ((0, 0), (0, 1), 111_319.490_793_274), ((0, 179.5), (0, -179.5), 111_319.490_793_274),
            ((0, 10), (90, 77), 10_001_965.729_312_7), ((-90, 0), (90, 33), 20_003_931.458_625_4),
            ((12, 0), (-12, 180), 20_003_931.458_625_4), ((0, 0), (0, 180), 20_003_931.458_625_4),
            ((89.5, 0), (89.5, 180), 111_693.950_896_6),
        ] as [((Double, Double), (Double, Double), Double)])
    func `the equator, meridians and poles have the ellipsoid's lengths`(
        from: (Double, Double), to: (Double, Double), metres: Double
    ) {
        #expect(abs(line(from, to).distance - metres) < 1e-3, "\(line(from, to).distance)")
        #expect(line(from, to).distance == line(to, from).distance)
    }

    @Test func `a place is 0 m from itself, with azimuths of 0`() {
        for place in [(0.0, 0.0), (48.1, 11.5), (-33, 180), (90, 12), (-90, -7), (0.1, -180)] {
            #expect(line(place, place).distance == 0)
            #expect(line(place, place).initialAzimuth == 0 && line(place, place).finalAzimuth == 0)
            #expect(line(place, (place.0, place.1 + 360)).distance == 0)
        }
        #expect(line((90, 12), (90, -100)).distance == 0)
        #expect(line((-20, 180), (-20, -180)).distance == 0)
    }

    @Test func `a value that is not finite, or a latitude beyond a pole, gives no result`() {
        for (from, to) in [((Double.nan, 0.0), (0.0, 0.0)), ((0, 0), (0, .infinity)), ((0, 0), (90.1, 0))] {
            #expect(line(from, to).distance.isNaN && line(from, to).initialAzimuth.isNaN)
        }
        for (latitude, azimuth, distance) in [(Double.nan, 0.0, 1.0), (0, .infinity, 1), (0, 0, .nan), (-91, 0, 1)] {
            let end = Geodesic.direct(fromLatitude: latitude, longitude: 0, azimuth: azimuth, distance: distance)
            #expect(end.latitude.isNaN && end.longitude.isNaN && end.finalAzimuth.isNaN)
        }
    }

    @Test func `the way back has the same length to the last bit, and opposite azimuths`() {
        var random = Places()
        for _ in 0..<3000 {
            let (from, to) = (random.place(), random.place())
            let (there, back) = (line(from, to), line(to, from))
            #expect(there.distance == back.distance)
            let turned = (there.initialAzimuth - back.finalAzimuth).remainder(dividingBy: 360)
            #expect(abs(abs(turned) - 180) < 1e-9, "\(from) \(to)")
        }
    }

    @Test func `the direct solution of an inverse solution leads to the same place`() {
        var random = Places()
        var worst = 0.0
        for step in 0..<6000 {
            let from = random.place()
            let to = step % 2 == 0 ? random.place() : random.nearAntipode(of: from)
            let found = line(from, to)
            let end = Geodesic.direct(
                fromLatitude: from.0, longitude: from.1, azimuth: found.initialAzimuth, distance: found.distance)
            worst = max(worst, line(to, (end.latitude, end.longitude)).distance)
        }
        #expect(worst < 2e-8, "\(worst) m")
    }

    @Test func `a line is no longer than a way through a third place`() {
        var random = Places()
        for _ in 0..<3000 {
            let (from, middle, to) = (random.place(), random.place(), random.place())
            #expect(line(from, to).distance <= line(from, middle).distance + line(middle, to).distance + 1e-8)
        }
    }

    @Test func `a line continues straight across the poles and around the Earth`() {
        let overPole = Geodesic.direct(fromLatitude: 89, longitude: 10, azimuth: 0, distance: 2 * 111_693.864_9)
        #expect(abs(overPole.latitude - 89) < 1e-8 && abs(overPole.longitude + 170) < 1e-12)
        #expect(abs(overPole.finalAzimuth - 180) < 1e-12)
        let fromPole = Geodesic.direct(fromLatitude: 90, longitude: 10, azimuth: 150, distance: 8_896_110.896_078_352)
        #expect(abs(fromPole.latitude - 10) < 1e-13 && abs(fromPole.longitude - 40) < 1e-12)
        let round = Geodesic.direct(
            fromLatitude: 0, longitude: 170, azimuth: 90, distance: 2.5 * 2 * .pi * WGS84.semiMajorAxis)
        #expect(abs(round.latitude) < 1e-13 && abs(round.longitude + 10) < 1e-9 && round.finalAzimuth == 90)
        let back = Geodesic.direct(fromLatitude: 10, longitude: -179, azimuth: 90, distance: -300_000)
        #expect(back.longitude > 178 && back.longitude < 179)
    }
}

/// Places from a fixed seed.
struct Places {
    private var random = SplitMix64(seed: 0x5EED_0001)

    /// 0 up to 1.
    mutating func uniform() -> Double { random.nextUnit() }

    /// From the lower to the upper in equal shares of the powers of ten, with either sign.
    mutating func scattered(_ exponents: ClosedRange<Double>) -> Double {
        let exponent = exponents.lowerBound + uniform() * (exponents.upperBound - exponents.lowerBound)
        let size = pow(10, exponent)
        return uniform() < 0.5 ? -size : size
    }

    mutating func place() -> (Double, Double) { (uniform() * 180 - 90, uniform() * 360 - 180) }

    mutating func nearAntipode(of place: (Double, Double)) -> (Double, Double) {
        let latitude = min(90, max(-90, -place.0 + scattered(-9...0.5)))
        return (latitude, (place.1 + 180 + scattered(-9...0.5)).remainder(dividingBy: 360))
    }
}
