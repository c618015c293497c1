/// The inverse problem (the geodesic between two places), with the places swapped and mirrored so that the first is in
/// the south and at least as far from the equator as the second.
///
/// The second place is then at most as far north as the first is south, and at most half a turn to the east. Source:
/// section 4 of Karney's paper, which `Geodesic` names.
struct GeodesicPair {
    /// How the two places were swapped and mirrored, which is undone on the resulting line.
    private struct Turning {
        var isSwapped = false
        var isMirroredEastWest = false
        var isMirroredNorthSouth = false
    }

    private let turning: Turning
    private let start: Direction
    private let end: Direction
    /// The difference in longitude in radians, 0 to π.
    private let longitudeDifference: Double
    /// The longitude difference as a direction, whose sine stays exact near π.
    private let longitudeDirection: Direction
    private let isMeridional: Bool

    init(fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double, longitude other: Double) {
        let difference = LongitudeDifference(from: longitude, to: other)
        var turning = Turning()
        turning.isSwapped = abs(latitude) < abs(otherLatitude)
        turning.isMirroredEastWest = difference.isWestward != turning.isSwapped
        let south = turning.isSwapped ? otherLatitude : latitude
        let north = turning.isSwapped ? latitude : otherLatitude
        turning.isMirroredNorthSouth = south > 0
        let sign = turning.isMirroredNorthSouth ? -1.0 : 1.0
        self.turning = turning
        start = .reducedLatitude(sign * south)
        end = .reducedLatitude(sign * north)
        longitudeDifference = difference.radians
        longitudeDirection = difference.direction
        isMeridional = abs(south) == 90 || difference.direction.sine == 0
    }

    var line: Geodesic.Line {
        if isMeridional { return turnedBack(meridian) }
        if start.sine == 0, longitudeDifference <= (1 - WGS84.flattening) * .pi { return turnedBack(equator) }
        let guess = GeodesicGuess(from: start, to: end, longitudeDirection, longitudeDifference)
        if let line = guess.shortLine { return turnedBack(line) }
        let search = GeodesicSearch(from: start, to: end, longitudeDirection, longitudeDifference)
        return turnedBack(search.line(from: guess.azimuth))
    }

    struct DirectedLine {
        /// The length in metres.
        var distance: Double
        var initialAzimuth: Direction
        var finalAzimuth: Direction
    }

    /// The line between two places on the same meridian, or on opposite ones, over the pole.
    private var meridian: DirectedLine {
        // Between opposite meridians of an oblate ellipsoid, the way over a pole is never longer than a way that avoids
        // it.
        let from = Direction(sine: start.sine, cosine: longitudeDirection.cosine * start.cosine)
        let series = GeodesicSeries(cosineEquatorAzimuth: 1)
        let arc = end.minus(from)
        return DirectedLine(
            distance: series.distance(
                from: from, to: end, arc: Trigonometry.arctangent(y: max(0, arc.sine), x: arc.cosine)),
            initialAzimuth: longitudeDirection, finalAzimuth: Direction(sine: 0, cosine: 1))
    }

    private var equator: DirectedLine {
        let east = Direction(sine: 1, cosine: 0)
        return DirectedLine(
            distance: WGS84.semiMajorAxis * longitudeDifference, initialAzimuth: east, finalAzimuth: east)
    }

    private func turnedBack(_ line: DirectedLine) -> Geodesic.Line {
        guard line.distance > 0 else { return Geodesic.Line(distance: 0, initialAzimuth: 0, finalAzimuth: 0) }
        // If the places were swapped, the two azimuths are exchanged and reversed; each mirroring changes the sign of
        // one component of both azimuths.
        var (initial, final) =
            turning.isSwapped ? (line.finalAzimuth, line.initialAzimuth) : (line.initialAzimuth, line.finalAzimuth)
        let east = turning.isMirroredEastWest != turning.isSwapped ? -1.0 : 1.0
        let north = turning.isMirroredNorthSouth != turning.isSwapped ? -1.0 : 1.0
        initial = Direction(sine: east * initial.sine, cosine: north * initial.cosine)
        final = Direction(sine: east * final.sine, cosine: north * final.cosine)
        return Geodesic.Line(
            distance: line.distance, initialAzimuth: Angle.turn(initial.degrees),
            finalAzimuth: Angle.turn(final.degrees))
    }
}

/// How far east or west one meridian is from another, without loss of precision near half a turn.
private struct LongitudeDifference {
    let isWestward: Bool
    /// The difference in longitude in radians, 0 to π.
    let radians: Double
    let direction: Direction

    /// Takes two longitudes in degrees, with any number of turns.
    init(from longitude: Double, to other: Double) {
        let (start, end) = (longitude.remainder(dividingBy: 360), other.remainder(dividingBy: 360))
        // The difference of the longitudes, and the part of it that rounding lost. Source: D. E. Knuth, The Art of
        // Computer Programming, volume 2, 4.2.2, theorem B.
        let sum = end - start
        let virtual = sum + start
        let lost = (end - virtual) - (start - (virtual - sum))
        let turned = sum.remainder(dividingBy: 360)
        let isNegative = turned < 0 || (turned == 0 && lost < 0)
        let (degrees, rest) = isNegative ? (-turned, -lost) : (turned, lost)
        isWestward = isNegative
        // The difference from half a turn; its sign is dropped, because half a turn to the east is half a turn to the
        // west.
        let fromHalfTurn = abs((180 - degrees) - rest)
        radians =
            degrees > 90
            ? .pi - fromHalfTurn / Trigonometry.degreesPerRadian : (degrees + rest) / Trigonometry.degreesPerRadian
        if degrees > 90 {
            let supplement = Direction(degrees: fromHalfTurn)
            direction = Direction(sine: supplement.sine, cosine: -supplement.cosine)
        } else {
            direction = Direction(degrees: degrees + rest)
        }
    }
}
