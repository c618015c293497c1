/// Geodesics, the shortest lines on the WGS 84 ellipsoid: the length and direction of the line between two places, and
/// the end of a line whose start, direction and length are given.
///
/// The results are right to some nanometres at any distance, also between nearly antipodal places, at the poles and
/// across the antimeridian. All angles are in degrees; latitudes are -90 to 90, and longitudes can have any number of
/// turns; input that is not finite, or a latitude beyond a pole, gives NaN. Source: C. F. F. Karney, "Algorithms for
/// geodesics", Journal of Geodesy 87 (2013), 43; comments name its equations.
public enum Geodesic {
    /// The shortest line between two places.
    public struct Line: Sendable, Hashable {
        /// The line's length in metres.
        public var distance: Double
        /// The direction of the line at its start, in degrees from true north, 0 up to 360; 0 if both places are the
        /// same.
        public var initialAzimuth: Double
        /// The direction of the line at its end, in degrees from true north, 0 up to 360; 0 if both places are the
        /// same.
        public var finalAzimuth: Double
    }

    /// The place where a line ends, and the line's direction there.
    public struct End: Sendable, Hashable {
        /// The latitude in degrees north.
        public var latitude: Double
        /// The longitude in degrees east, -180 up to 180.
        public var longitude: Double
        /// The direction of the line at its end, in degrees from true north, 0 up to 360.
        public var finalAzimuth: Double
    }

    /// The shortest line from one place to another.
    ///
    /// Where several lines are equally short, as between the poles or along the equator to nearly antipodal places, the
    /// result is one of them. At a pole, the azimuth counts from the meridian of the longitude that is given.
    public static func inverse(
        fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) -> Line {
        guard isPlace(latitude, longitude), isPlace(otherLatitude, otherLongitude) else {
            return Line(distance: .nan, initialAzimuth: .nan, finalAzimuth: .nan)
        }
        let pair = GeodesicPair(
            fromLatitude: latitude, longitude: longitude, toLatitude: otherLatitude, longitude: otherLongitude)
        return pair.line
    }

    /// Metres from one place to another along the shortest line.
    public static func distance(
        fromLatitude latitude: Double, longitude: Double, toLatitude otherLatitude: Double,
        longitude otherLongitude: Double
    ) -> Double {
        inverse(
            fromLatitude: latitude, longitude: longitude, toLatitude: otherLatitude, longitude: otherLongitude
        ).distance
    }

    /// The place where a geodesic ends, computed from its start, its direction at the start and its length.
    ///
    /// - Parameters:
    ///   - azimuth: The direction at the start, in degrees from true north.
    ///   - distance: The length in metres; if it is negative, the geodesic runs backwards.
    public static func direct(
        fromLatitude latitude: Double, longitude: Double, azimuth: Double, distance: Double
    ) -> End {
        guard isPlace(latitude, longitude), azimuth.isFinite, distance.isFinite else {
            return End(latitude: .nan, longitude: .nan, finalAzimuth: .nan)
        }
        let start = GeodesicStart(latitude: latitude, azimuth: azimuth)
        let reach = start.reach(distance)
        return End(
            latitude: reach.latitude, longitude: LocalFrame.wrapped(longitude + reach.longitudeDifference),
            finalAzimuth: Angle.turn(reach.azimuth.degrees))
    }

    /// Whether coordinates are valid; NaN fails every comparison.
    private static func isPlace(_ latitude: Double, _ longitude: Double) -> Bool {
        abs(latitude) <= 90 && longitude.isFinite
    }
}
