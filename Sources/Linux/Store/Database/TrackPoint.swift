/// A point of the recorded track; an unknown value is nil.
public struct TrackPoint: Sendable, Hashable {
    /// Nanoseconds since 1970, UTC; the point's key: a later point of the same time replaces this one.
    public var time: Int64
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// Metres above mean sea level.
    public var altitude: Double?
    /// Metres: the radius that holds 68 % of the horizontal errors.
    public var horizontalAccuracy: Double?
    /// Metres per second.
    public var speed: Double?
    /// Degrees from true north.
    public var course: Double?

    public init(
        time: Int64, latitude: Double, longitude: Double, altitude: Double? = nil, horizontalAccuracy: Double? = nil,
        speed: Double? = nil, course: Double? = nil
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.speed = speed
        self.course = course
    }
}

/// How much of the track is kept.
///
/// A point takes about 70 bytes of the file; when either bound is passed, the oldest points are deleted.
public struct TrackRetention: Sendable, Hashable {
    /// Points this many days older than the newest of those appended are deleted.
    public var days: Int
    /// The most points that are kept: 500 000 are about 35 MB, and five days and 19 hours at one point a second.
    public var points: Int

    /// - Parameters:
    ///   - days: 1 to 36 500.
    ///   - points: At least one.
    public init(days: Int, points: Int) {
        precondition((1...36_500).contains(days) && points >= 1, "a track has 1 to 36500 days and at least a point")
        self.days = days
        self.points = points
    }

    /// 30 days, and at most 500 000 points.
    public static let standard = TrackRetention(days: 30, points: 500_000)
}
