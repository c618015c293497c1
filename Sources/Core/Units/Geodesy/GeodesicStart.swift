/// The start of a geodesic in the direct problem: a place, and the azimuth in which the geodesic leaves it.
struct GeodesicStart {
    /// The place that a geodesic reaches after a distance.
    struct Reach {
        /// The latitude in degrees.
        var latitude: Double
        /// Degrees of longitude from the start to the end, -180 to 180.
        var longitudeDifference: Double
        var azimuth: Direction
    }

    /// The azimuth α0 with which the geodesic crosses the equator.
    private let equatorAzimuth: Direction
    /// The arc on the auxiliary sphere from the point where the geodesic crosses the equator to its start;
    /// `sphericalLongitude` is the difference in longitude between these two points.
    private let arc: Direction
    private let sphericalLongitude: Direction
    private let series: GeodesicSeries

    init(latitude: Double, azimuth: Double) {
        var beta = Direction.reducedLatitude(latitude)
        // A start at a pole is moved away from the pole by a tiny distance, so that the azimuth keeps its meaning.
        if beta.cosine == 0 { beta.cosine = Direction.tiny }
        let alpha = Direction(degrees: azimuth)
        // Karney's equations 10 to 12; a geodesic along the equator has no single crossing, so its arc begins at its
        // start.
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
        // If the end is at a pole, a tiny cosine in place of 0 keeps the direction of the meridian.
        if end.cosine == 0 { end.cosine = Direction.tiny }
        let azimuth = Direction(y: equatorAzimuth.sine, x: equatorAzimuth.cosine * end.cosine)
        // Karney's equations 13 and 14, and the inverse of his equation 6.
        let northward = equatorAzimuth.cosine * end.sine
        let along = equatorAzimuth.cosine * end.cosine
        let outward = (equatorAzimuth.sine * equatorAzimuth.sine + along * along).squareRoot()
        let latitude = Trigonometry.arctangent(y: northward, x: (1 - WGS84.flattening) * outward)
        return Reach(
            latitude: latitude * Trigonometry.degreesPerRadian,
            longitudeDifference: longitudeDifference(to: end, arcLength), azimuth: azimuth)
    }

    /// The arc in radians, on the auxiliary sphere, that corresponds to a distance in metres; Karney's equations 7 and
    /// 20.
    private func arcLength(of distance: Double) -> Double {
        let semiMinorAxis = WGS84.semiMajorAxis * (1 - WGS84.flattening)
        let length = distance / (semiMinorAxis * series.distanceFactor)
        let before = GeodesicSeries.sum(series.distanceTerms, arc)
        let end = arc.plus(Direction(radians: before + length))
        return length + before + GeodesicSeries.sum(series.reversedTerms, end)
    }

    /// The difference in longitude between the start and the end, in degrees; Karney's equation 8.
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
