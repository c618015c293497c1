/// Distances over the ground on the sphere of the mean radius.
///
/// They differ from distances on the ellipsoid by at most 0.56 %: good enough for the distance thresholds of the power
/// policy and of rest detection, whose other inputs are far less certain. Distances that a client asks for in metres
/// are measured by `Geodesic`.
public enum GreatCircle {
    /// The mean radius of the Earth in metres: (2a + b) / 3, from the semi-axes a and b of WGS 84.
    public static let meanRadius = 6_371_008.8

    /// Metres from one place to another, both in degrees north and east.
    ///
    /// The haversine formula, which stays precise for places that are close together. Source: R. W. Sinnott, "Virtues
    /// of the Haversine", Sky and Telescope 68 (1984), 159.
    public static func distance(
        fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) -> Double {
        let radians = 1 / Trigonometry.degreesPerRadian
        let (halfNorth, _) = Trigonometry.sineAndCosine((otherLatitude - latitude) * radians / 2)
        let (halfEast, _) = Trigonometry.sineAndCosine((otherLongitude - longitude) * radians / 2)
        let (_, cosine) = Trigonometry.sineAndCosine(latitude * radians)
        let (_, otherCosine) = Trigonometry.sineAndCosine(otherLatitude * radians)
        let haversine = halfNorth * halfNorth + cosine * otherCosine * halfEast * halfEast
        return 2 * meanRadius * Trigonometry.arcsine(haversine.squareRoot())
    }
}
