/// The start of a geodesic in the direct problem: a place, and the azimuth in which the geodesic leaves it.
struct GeodesicStart {
    /// The place that a geodesic reaches after a distance.
    struct Reach {
        /// Degrees.
        var latitude: Double
        /// Degrees, -180 to 180.
        var longitudeDifference: Double
        var azimuth: Direction
    }

    /// α0, the azimuth at the equator.
    private let equatorAzimuth: Direction
    /// The arc from the geodesic's equator crossing to the start, on the auxiliary sphere; `sphericalLongitude` is the
    /// longitude between them.
    private let arc: Direction
    private let sphericalLongitude: Direction
    private let series: GeodesicSeries

    init(latitude: Double, azimuth: Double) {
        var beta = Direction.reducedLatitude(latitude)
        // A start at a pole is moved a tiny way off it, so that the azimuth keeps its meaning.
        if beta.cosine == 0 { beta.cosine = Direction.tiny }
        let alpha = Direction(degrees: azimuth)
        // Equations 10 to 12; at the equator, due east or west, the arc begins at the node.
        let along = alpha.cosine * beta.cosine
        let sine = alpha.sine * beta.cosine
        let across = alpha.sine * beta.sine
        equatorAzimuth = Direction(sine: sine, cosine: (alpha.cosine * alpha.cosine + across * across).squareRoot())
        let isNode = beta.sine == 0 && along == 0
        arc = Direction(y: beta.sine, x: isNode ? 1 : along)
        sphericalLongitude = Direction(y: sine * beta.sine, x: isNode ? 1 : along)
        series = GeodesicSeries(cosineEquatorAzimuth: equatorAzimuth.cosine)
    }

    func reach(_ distance: Double) -> Reach {
        let arcLength = arcLength(of: distance)
        var end = arc.plus(Direction(radians: arcLength))
        // At a pole, a tiny cosine keeps the direction of the meridian.
        if end.cosine == 0 { end.cosine = Direction.tiny }
        let azimuth = Direction(y: equatorAzimuth.sine, x: equatorAzimuth.cosine * end.cosine)
        // Equations 13 and 14, and the inverse of equation 6.
        let northward = equatorAzimuth.cosine * end.sine
        let along = equatorAzimuth.cosine * end.cosine
        let outward = (equatorAzimuth.sine * equatorAzimuth.sine + along * along).squareRoot()
        let latitude = Trigonometry.arctangent(y: northward, x: (1 - WGS84.flattening) * outward)
        return Reach(
            latitude: latitude * Trigonometry.degreesPerRadian,
            longitudeDifference: longitudeDifference(to: end, arcLength), azimuth: azimuth)
    }

    /// The arc of a distance in radians; equations 7 and 20.
    private func arcLength(of distance: Double) -> Double {
        let semiMinorAxis = WGS84.semiMajorAxis * (1 - WGS84.flattening)
        let length = distance / (semiMinorAxis * series.distanceFactor)
        let before = GeodesicSeries.sum(series.distanceTerms, arc)
        let end = arc.plus(Direction(radians: before + length))
        return length + before + GeodesicSeries.sum(series.reversedTerms, end)
    }

    /// The longitude difference from the start to the end in degrees; equation 8.
    private func longitudeDifference(to end: Direction, _ arcLength: Double) -> Double {
        let spherical = Direction(y: equatorAzimuth.sine * end.sine, x: end.cosine)
        let terms = series.longitudeTerms
        let integral =
            series.longitudeFactor
            * (arcLength + GeodesicSeries.sum(terms, end) - GeodesicSeries.sum(terms, arc))
        let difference =
            spherical.minus(sphericalLongitude).radians - WGS84.flattening * equatorAzimuth.sine * integral
        return difference * Trigonometry.degreesPerRadian
    }
}
