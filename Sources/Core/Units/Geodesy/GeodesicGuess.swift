/// The azimuth from which the search for a geodesic begins.
///
/// Source: section 5 of Karney's paper, which `Geodesic` names.
struct GeodesicGuess {
    let azimuth: Direction
    /// The geodesic itself, if it is so short that a sphere fitted to its middle gives it to full precision; otherwise
    /// nil.
    private(set) var shortLine: GeodesicPair.DirectedLine?

    /// A line shorter than this many radians is computed on a sphere.
    ///
    /// The error of that computation grows with the flattening times the third power of the length, and is less than
    /// the last digit of a Double for such lines.
    private static let shortArc = 3e-8

    init(from start: Direction, to end: Direction, _ longitude: Direction, _ longitudeRadians: Double) {
        let sphere = SphericalLine(from: start, to: end, longitude, longitudeRadians)
        let antipodal = 3 * WGS84.flattening * .pi * start.cosine * start.cosine
        guard sphere.arc.cosine < 0, sphere.arc.sine < antipodal else {
            azimuth = sphere.initialAzimuth
            if sphere.arc.cosine > 0, sphere.arc.sine < GeodesicGuess.shortArc { shortLine = sphere.line }
            return
        }
        azimuth = GeodesicGuess.antipodalAzimuth(from: start, to: end, .pi - longitudeRadians)
    }

    /// The azimuth between nearly antipodal places; Karney's equations 53 to 57.
    private static func antipodalAzimuth(
        from start: Direction, to end: Direction, _ shortOfHalfTurn: Double
    ) -> Direction {
        let series = GeodesicSeries(cosineEquatorAzimuth: start.sine)
        let width = WGS84.flattening * .pi * series.longitudeFactor * start.cosine
        let x = -shortOfHalfTurn / width
        // The sum of the reduced latitudes, β1 + β2.
        let sum = start.plus(end)
        let y = Trigonometry.arctangent(y: sum.sine, x: sum.cosine) / (width * start.cosine)
        guard y < -1e-10 else {
            let sine = min(1, -x)
            return Direction(y: max(sine, Direction.tiny), x: -(1 - sine * sine).squareRoot())
        }
        let kappa = astroidRoot(x: x, y: y)
        return Direction(y: max(-x / (1 + kappa), Direction.tiny), x: y / kappa)
    }

    /// The positive root κ of x² / (1 + κ)² + y² / κ² = 1, to about six digits; this is Karney's equation 55 as a sum
    /// of squares.
    private static func astroidRoot(x: Double, y: Double) -> Double {
        // The left side of the equation for κ falls with κ and is convex, so Newton's method, begun below the root,
        // never passes it.
        var kappa = max(-y, -x - 1)
        for _ in 0..<60 {
            let (a, b) = (x / (1 + kappa), y / kappa)
            let step = (a * a + b * b - 1) / (2 * (a * a / (1 + kappa) + b * b / kappa))
            kappa += step
            if step < 1e-6 * kappa { break }
        }
        return kappa
    }
}

/// The great circle between two reduced latitudes on a sphere that fits the ellipsoid midway between them; Karney's
/// equations 48 to 51.
private struct SphericalLine {
    let initialAzimuth: Direction
    let arc: Direction
    private let finalAzimuth: Direction
    /// The sphere's radius divided by the equatorial radius.
    private let radius: Double

    init(from start: Direction, to end: Direction, _ longitude: Direction, _ longitudeRadians: Double) {
        let sum = Direction(y: start.sine + end.sine, x: start.cosine + end.cosine)
        radius = (1 - WGS84.eccentricitySquared * sum.cosine * sum.cosine).squareRoot()
        let spherical = Direction(radians: min(.pi, longitudeRadians / radius))
        // 1 - cos ω, where ω is the difference in longitude on the sphere, without loss of digits where ω is small.
        let versine =
            spherical.cosine > 0 ? spherical.sine * spherical.sine / (1 + spherical.cosine) : 1 - spherical.cosine
        let difference = end.sine * start.cosine - end.cosine * start.sine
        let outward = Direction(
            sine: end.cosine * spherical.sine, cosine: difference + start.sine * end.cosine * versine)
        let inward = Direction(
            sine: start.cosine * spherical.sine, cosine: difference - end.sine * start.cosine * versine)
        initialAzimuth = Direction(y: max(outward.sine, Direction.tiny), x: outward.cosine)
        finalAzimuth = Direction(y: max(inward.sine, Direction.tiny), x: inward.cosine)
        arc = Direction(
            sine: (outward.sine * outward.sine + outward.cosine * outward.cosine).squareRoot(),
            cosine: start.sine * end.sine + start.cosine * end.cosine * spherical.cosine)
    }

    /// The length and the azimuths of the great circle; exact only if its arc is so short that it equals its sine.
    var line: GeodesicPair.DirectedLine {
        GeodesicPair.DirectedLine(
            distance: WGS84.semiMajorAxis * radius * arc.sine, initialAzimuth: initialAzimuth,
            finalAzimuth: finalAzimuth)
    }
}
