/// A point of the board's recorded track; a value that is not known is nil.
public struct TrackPoint: Sendable, Hashable {
    /// The time in nanoseconds since 1970, UTC; it identifies the point, and a later point with the same time is not
    /// stored.
    public var time: Int64
    /// The latitude in degrees, WGS 84.
    public var latitude: Double
    /// The longitude in degrees, WGS 84.
    public var longitude: Double
    /// The altitude in metres above mean sea level.
    public var altitude: Double?
    /// The horizontal accuracy in metres, 68 %.
    public var horizontalAccuracy: Double?
    /// The speed in metres per second.
    public var speed: Double?
    /// The course in degrees, clockwise from true north.
    public var course: Double?
    /// How much of the time since the previous point the receiver's clock and the board's own clock agree on, in
    /// nanoseconds.
    ///
    /// Earlier points are deleted by their age, which grows by this time only, so that a receiver with a wrong date
    /// deletes nothing. It is added up for each day, and not stored with the point.
    public var steady: Int64
    /// Whether the host slept just before this point, so that no line may join it to the previous point.
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

/// The limits up to which the track is kept.
///
/// A point takes about 70 bytes of the file. When either limit is exceeded, the points of the day that was stored first
/// are deleted. A receiver can report any date, so dates are not compared with each other: the days that were stored
/// are counted, and the length of each is measured by the board's own clock.
public struct TrackRetention: Sendable, Hashable {
    /// The number of days to keep: a day is deleted once more than this many days were stored after it.
    public var days: Int
    /// How much steady time (`TrackPoint.steady`: time on which the receiver and the board's clock agree) makes a date
    /// count as another stored day; several dates with less are added up.
    ///
    /// Unit: nanoseconds (2 h).
    static let wholeDay: Int64 = 7_200_000_000_000
    /// The largest number of points that are kept: 500 000 are about 35 MB, or five days and 19 hours at one point per
    /// second.
    public var points: Int

    /// - Parameters:
    ///   - days: The number of days, 1 to 36 500.
    ///   - points: The largest number of points, at least 1.
    public init(days: Int, points: Int) {
        precondition((1...36_500).contains(days) && points >= 1, "a track has 1 to 36500 days and at least a point")
        self.days = days
        self.points = points
    }

    /// The default limits: 30 days, and at most 500 000 points.
    public static let standard = TrackRetention(days: 30, points: 500_000)
}
