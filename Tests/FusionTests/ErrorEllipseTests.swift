import Fusion
import GNSS
import SextantUnits
import Testing

@Suite("Error ellipse")
struct ErrorEllipseTests {
    /// The covariance of independent errors along and across a direction; metres, and degrees from true north.
    private func covariance(along: Double, across: Double, direction: Double) -> HorizontalCovariance {
        let radians = direction / Trigonometry.degreesPerRadian
        let (east, north) = Trigonometry.sineAndCosine(radians)
        let (long, short) = (along * along, across * across)
        return HorizontalCovariance(
            eastEast: long * east * east + short * north * north, eastNorth: (long - short) * east * north,
            northNorth: long * north * north + short * east * east)
    }

    @Test(arguments: [0.0, 30, 45, 89, 90, 120, 179])
    func `an ellipse has the axes and the direction of its covariance`(direction: Double) {
        let ellipse = covariance(along: 10, across: 4, direction: direction).ellipse
        #expect(abs(ellipse.semiMajor - 10 * HorizontalCovariance.radiusPerDeviation) < 1e-9)
        #expect(abs(ellipse.semiMinor - 4 * HorizontalCovariance.radiusPerDeviation) < 1e-9)
        #expect(abs(ellipse.orientation - direction) < 1e-6)
    }

    @Test func `a round covariance has a circle of the stated radius`() {
        let ellipse = HorizontalCovariance(accuracy: 12).ellipse
        #expect(abs(ellipse.semiMajor - 12) < 1e-9 && abs(ellipse.semiMinor - 12) < 1e-9)
        #expect(ellipse.orientation == 0)
    }

    @Test func `a covariance without width, and one that rounding made impossible, have one of width 0`() {
        let line = covariance(along: 5, across: 0, direction: 60).ellipse
        #expect(line.semiMinor >= 0 && line.semiMinor < 1e-6)
        let impossible = HorizontalCovariance(eastEast: 1, eastNorth: 1.0000001, northNorth: 1).ellipse
        #expect(impossible.semiMinor == 0 && impossible.orientation == 45)
    }

    @Test func `68 % of normal errors lie within the ellipse`() {
        var chance = Chance(seed: 5)
        let covariance = covariance(along: 9, across: 3, direction: 70)
        let ellipse = covariance.ellipse
        let degree = 1 / Trigonometry.degreesPerRadian
        let truly = Trigonometry.sineAndCosine(70 * degree)
        let told = Trigonometry.sineAndCosine(ellipse.orientation * degree)
        var within = 0
        for _ in 0..<100_000 {
            let normal = chance.normal()
            let (along, across) = (9 * normal.x, 3 * normal.y)
            let east = along * truly.sine + across * truly.cosine
            let north = along * truly.cosine - across * truly.sine
            let x = (east * told.sine + north * told.cosine) / ellipse.semiMajor
            let y = (east * told.cosine - north * told.sine) / ellipse.semiMinor
            if x * x + y * y <= 1 { within += 1 }
        }
        #expect(abs(Double(within) / 100_000 - 0.68) < 0.006)
    }
}
