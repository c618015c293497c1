/// The search for the azimuth whose geodesic meets the second place's latitude at the second place's longitude.
///
/// It uses Newton's method between two azimuths that enclose the root. Source: section 4 of Karney's paper, which
/// `Geodesic` names.
struct GeodesicSearch {
    private let start: Direction
    private let end: Direction
    private let longitude: Direction
    private let longitudeRadians: Double

    /// The error of the longitude at which the search ends, in radians: the precision of a Double.
    private static let finest = Double.ulpOfOne
    private static let newtonSteps = 20
    private static let steps = 100

    init(from start: Direction, to end: Direction, _ longitude: Direction, _ longitudeRadians: Double) {
        self.start = start
        self.end = end
        self.longitude = longitude
        self.longitudeRadians = longitudeRadians
    }

    func line(from guess: Direction) -> GeodesicPair.DirectedLine {
        var azimuth = guess
        var north = Direction(sine: Direction.tiny, cosine: 1)
        var south = Direction(sine: Direction.tiny, cosine: -1)
        var isSettled = false
        for step in 0..<GeodesicSearch.steps {
            let trial = Trial(self, azimuth)
            if abs(trial.excess) <= GeodesicSearch.finest * (isSettled ? 8 : 1) { return trial.line }
            // The more southward the azimuth, the farther east the geodesic meets the second place's latitude.
            if trial.excess > 0 { south = azimuth } else { north = azimuth }
            isSettled = false
            if step < GeodesicSearch.newtonSteps, let next = trial.improved(between: north, and: south) {
                isSettled = abs(trial.excess) <= GeodesicSearch.finest * 16
                azimuth = next
                continue
            }
            let middle = Direction(y: north.sine + south.sine, x: north.cosine + south.cosine)
            if middle == north || middle == south { return trial.line }
            azimuth = middle
        }
        return Trial(self, azimuth).line
    }

    /// One azimuth that is tried, and where its geodesic meets the second place's latitude.
    private struct Trial {
        private let azimuth: Direction
        private let endAzimuth: Direction
        private let startArc: Direction
        private let endArc: Direction
        private let arc: Double
        private let series: GeodesicSeries
        private let end: Direction
        private let start: Direction
        /// How many radians too far to the east the geodesic meets the second place's latitude.
        let excess: Double

        init(_ search: GeodesicSearch, _ guess: Direction) {
            let (start, end) = (search.start, search.end)
            // A line that begins on the equator due east would never leave the equator, so it is turned southward by a
            // tiny angle.
            let azimuth =
                start.sine == 0 && guess.cosine == 0 ? Direction(sine: guess.sine, cosine: -Direction.tiny) : guess
            // Karney's equations 10 and 5.
            let sine = azimuth.sine * start.cosine
            let across = azimuth.sine * start.sine
            let cosine = (azimuth.cosine * azimuth.cosine + across * across).squareRoot()
            endAzimuth = Trial.endAzimuth(from: start, to: end, azimuth, sine)
            // Karney's equations 11 and 12, at both ends of the geodesic.
            startArc = Direction(y: start.sine, x: azimuth.cosine * start.cosine)
            endArc = Direction(y: end.sine, x: endAzimuth.cosine * end.cosine)
            let startLongitude = Direction(y: sine * start.sine, x: azimuth.cosine * start.cosine)
            let endLongitude = Direction(y: sine * end.sine, x: endAzimuth.cosine * end.cosine)
            let turned = endArc.minus(startArc)
            arc = Trigonometry.arctangent(y: max(0, turned.sine), x: turned.cosine)
            let around = endLongitude.minus(startLongitude)
            let over = Direction(sine: max(0, around.sine), cosine: around.cosine).minus(search.longitude)
            series = GeodesicSeries(cosineEquatorAzimuth: cosine)
            // Karney's equation 8.
            let terms = series.longitudeTerms
            let integral =
                series.longitudeFactor
                * (arc + GeodesicSeries.sum(terms, endArc) - GeodesicSeries.sum(terms, startArc))
            excess = over.radians - WGS84.flattening * sine * integral
            self.azimuth = azimuth
            self.start = start
            self.end = end
        }

        /// The azimuth at which the geodesic meets the second place's latitude, always northward: if it crosses that
        /// latitude twice, the farther crossing counts.
        private static func endAzimuth(
            from start: Direction, to end: Direction, _ azimuth: Direction, _ equatorSine: Double
        ) -> Direction {
            if end.cosine == start.cosine, abs(end.sine) == -start.sine {
                return Direction(sine: azimuth.sine, cosine: abs(azimuth.cosine))
            }
            // Karney's equation 45, in whichever of its two forms loses less precision.
            let difference =
                start.cosine < -start.sine
                ? (end.cosine - start.cosine) * (start.cosine + end.cosine)
                : (start.sine - end.sine) * (start.sine + end.sine)
            let along = azimuth.cosine * start.cosine
            return Direction(
                sine: equatorSine / end.cosine,
                cosine: (along * along + max(0, difference)).squareRoot() / end.cosine)
        }

        /// The azimuth after one step of Newton's method; nil where it is not between `north` and `south`.
        func improved(between north: Direction, and south: Direction) -> Direction? {
            let step = -excess / slope
            guard abs(step) < .pi else { return nil }
            let next = azimuth.plus(Direction(radians: step))
            guard next.sine > 0, next.minus(north).sine > 0, south.minus(next).sine > 0 else { return nil }
            return Direction(y: next.sine, x: next.cosine)
        }

        /// The derivative of the longitude with respect to the azimuth; Karney's equation 46 and its special case.
        private var slope: Double {
            guard endAzimuth.cosine != 0 else {
                let squared = 1 - WGS84.eccentricitySquared * start.cosine * start.cosine
                return -2 * squared.squareRoot() / start.sine
            }
            return reducedLength * (1 - WGS84.flattening) / (endAzimuth.cosine * end.cosine)
        }

        /// The geodesic's reduced length m12 divided by the polar radius; Karney's equations 38 and 40.
        private var reducedLength: Double {
            let (first, second) = (series.distanceFactor, series.reducedLengthFactor)
            let distance = series.distanceTerms
            let reduced = series.reducedLengthTerms
            let terms =
                first * (GeodesicSeries.sum(distance, endArc) - GeodesicSeries.sum(distance, startArc))
                - second * (GeodesicSeries.sum(reduced, endArc) - GeodesicSeries.sum(reduced, startArc))
            let integral = (first - second) * arc + terms
            let squared = series.modulusSquared
            return (1 + squared * endArc.sine * endArc.sine).squareRoot() * startArc.cosine * endArc.sine
                - (1 + squared * startArc.sine * startArc.sine).squareRoot() * startArc.sine * endArc.cosine
                - startArc.cosine * endArc.cosine * integral
        }

        var line: GeodesicPair.DirectedLine {
            GeodesicPair.DirectedLine(
                distance: series.distance(from: startArc, to: endArc, arc: arc), initialAzimuth: azimuth,
                finalAzimuth: endAzimuth)
        }
    }
}

extension GeodesicSeries {
    /// The length in metres of a geodesic between two points that are `arc` radians apart on the auxiliary sphere;
    /// Karney's equations 7 and 15.
    func distance(from start: Direction, to end: Direction, arc: Double) -> Double {
        let terms = distanceTerms
        let semiMinorAxis = WGS84.semiMajorAxis * (1 - WGS84.flattening)
        return semiMinorAxis * distanceFactor
            * (arc + GeodesicSeries.sum(terms, end) - GeodesicSeries.sum(terms, start))
    }
}
