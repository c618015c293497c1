/// A point of the recorded track; an unknown value is nil.
public struct TrackPoint: Sendable, Hashable {
    /// Nanoseconds since 1970, UTC; the point's key: a later point of the same time is not stored.
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
    /// Nanoseconds since the point before in which the receiver's time kept pace with the board's clock, and so can be
    /// trusted to say how old earlier points are; counted for each day, and not stored with the point.
    public var steady: Int64
    /// Whether the host slept before this point, so that no line leads to it.
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
/// A point takes about 70 bytes of the file; when either bound is passed, the points of the day that was stored first
/// are deleted. A receiver may make up any date, so no date is compared with another: the days that are stored are
/// counted, each by the board's own clock.
public struct TrackRetention: Sendable, Hashable {
    /// A day is deleted once this many days were stored after it.
    public var days: Int
    /// The time for which a receiver must have kept to a date before the date counts as one more stored day; shorter
    /// times of several dates add up.
    ///
    /// Unit: nanoseconds (2 h).
    static let wholeDay: Int64 = 7_200_000_000_000
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
