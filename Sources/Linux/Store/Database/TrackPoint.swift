/// A point of the recorded track; an unknown value is nil.
public struct TrackPoint: Sendable, Hashable {
    /// Nanoseconds since 1970, UTC; the key of the point: a later point with the same time is not stored.
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
    /// How much of the time since the previous point the receiver's time kept pace with the board's clock, in
    /// nanoseconds.
    ///
    /// Only this time is trusted to make earlier points older. It is added up for each day, and not stored with the
    /// point.
    public var steady: Int64
    /// Whether the host slept before this point, so that no line is drawn from the previous point to this one.
    public var isAfterSleep: Bool

    public init(
        time: Int64, latitude: Double, longitude: Double, altitude: Double? = nil, horizontalAccuracy: Double? = nil,
        speed: Double? = nil, course: Double? = nil, steady: Int64 = 0, isAfterSleep: Bool = false
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.horizontalAccuracy = horizontalAccuracy
        self.speed = speed
        self.course = course
        self.steady = steady
        self.isAfterSleep = isAfterSleep
    }
}

/// How much of the track is kept.
///
/// A point takes about 70 bytes of the file. When either limit is passed, the points of the day that was stored first
/// are deleted. A receiver can report any date, so dates are not compared with each other: the days that were stored
/// are counted, and each is measured by the board's own clock.
public struct TrackRetention: Sendable, Hashable {
    /// A day is deleted once this many days were stored after it.
    public var days: Int
    /// The steady time (`TrackPoint.steady`) after which a date counts as one more stored day; shorter times at several
    /// dates add up.
    ///
    /// Unit: nanoseconds (2 h).
    static let wholeDay: Int64 = 7_200_000_000_000
    /// The largest number of points that are kept: 500 000 are about 35 MB, or five days and 19 hours at one point a
    /// second.
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
