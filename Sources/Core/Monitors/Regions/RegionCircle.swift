internal import SextantUnits

/// The distance over the ground to a circle's border.
enum RegionCircle {
    /// The greatest length, in metres, of a chord for which the way over the ground is computed with the Earth's mean
    /// radius; up to this length, that way's error is below a millimetre.
    private static let shortChord = 20_000.0

    static func offset(of place: RegionPlace, centre: EarthVector, radius: Double) -> BorderOffset {
        let from = place.vector - centre
        let chord = from.length
        let local = place.local(from)
        let length = (local.east * local.east + local.north * local.north).squareRoot()
        let outward =
            length > 0
            ? LocalPoint(east: local.east / length, north: local.north / length) : LocalPoint(east: 1, north: 0)
        guard chord > shortChord else {
            let arc = chord * (1 + chord * chord / (24 * GreatCircle.meanRadius * GreatCircle.meanRadius))
            return BorderOffset(distance: arc - radius, outward: outward)
        }
        let curvature = self.curvature(halfWay: (place.vector.z + centre.z) / 2, chord: chord, outward: outward)
        return BorderOffset(distance: arc(ofChord: chord, curvature: curvature) - radius, outward: outward)
    }

    /// The curvature of the ellipsoid in a direction, at the chord's middle latitude, by Euler's theorem; 1 / metres.
    ///
    /// - Parameter z: The z coordinate of the chord's middle, which lies below the ground; metres.
    private static func curvature(halfWay z: Double, chord: Double, outward: LocalPoint) -> Double {
        let half = chord / 2
        let depth = 1 - (half / GreatCircle.meanRadius) * (half / GreatCircle.meanRadius)
        let sine = min(1, abs(z) / (GreatCircle.meanRadius * max(0.01, depth).squareRoot()))
        let flatness = 1 - WGS84.eccentricitySquared * sine * sine
        let normal = WGS84.semiMajorAxis / flatness.squareRoot()
        let meridional = normal * (1 - WGS84.eccentricitySquared) / flatness
        return outward.north * outward.north / meridional + outward.east * outward.east / normal
    }

    /// The length of the arc over a chord, on a sphere of the given curvature; metres.
    private static func arc(ofChord chord: Double, curvature: Double) -> Double {
        2 / curvature * Trigonometry.arcsine(chord * curvature / 2)
    }

    /// The length of the chord of an arc, on a sphere of the Earth's mean radius; metres.
    static func chord(ofArc arc: Double) -> Double {
        2 * GreatCircle.meanRadius * Trigonometry.sineAndCosine(arc / (2 * GreatCircle.meanRadius)).sine
    }
}
