/// The shortest lines over the WGS 84 ellipsoid: how far, in which direction, and where one ends.
///
/// The results are right to some nanometres at any distance, also between nearly antipodal places, at the poles and
/// across the antimeridian. All angles are in degrees; latitudes are -90 to 90, and longitudes can have any number of
/// turns; input that is not finite, or a latitude beyond a pole, gives NaN. Source: C. F. F. Karney, "Algorithms for
/// geodesics", Journal of Geodesy 87 (2013), 43; its equations are named below.
public enum Geodesic {
    /// The shortest line between two places.
    public struct Line: Sendable, Hashable {
        /// Metres.
        public var distance: Double
        /// Degrees from true north at the start, 0 up to 360; 0 between places that coincide.
        public var initialAzimuth: Double
        /// Degrees from true north in which the line points at its end, 0 up to 360; 0 between places that coincide.
        public var finalAzimuth: Double
    }

    /// Where a line ends.
    public struct End: Sendable, Hashable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east, -180 up to 180.
        public var longitude: Double
        /// Degrees from true north in which the line points at its end, 0 up to 360.
        public var finalAzimuth: Double
    }

    /// The shortest line from one place to another.
    ///
    /// Where several lines are equally short, as between the poles or along the equator to nearly antipodal places, the
    /// result is one of them. At a pole the azimuth is that of the meridian whose longitude is given.
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

    /// The end of a geodesic from a place in a direction.
    ///
    /// - Parameters:
    ///   - azimuth: Degrees from true north.
    ///   - distance: Metres; backwards where it is negative.
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
