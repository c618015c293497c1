public import GNSS
public import SextantUnits

/// A point of the track: where the board was at a time; values that are not known are nil.
public struct TrackedPlace: Sendable, Hashable {
    public var time: UTCInstant
    /// The latitude in degrees, WGS 84.
    public var latitude: Double
    /// The longitude in degrees, WGS 84.
    public var longitude: Double
    /// The height in metres above mean sea level.
    public var altitude: Double?
    /// The radius that holds 68 % of horizontal errors; metres.
    public var horizontalAccuracy: Double?
    /// The speed in metres per second.
    public var speed: Double?
    /// The course in degrees from true north.
    public var course: Double?
    /// Nanoseconds since the previous point, by the board's clock, in which the receiver's time kept pace with that
    /// clock.
    ///
    /// Only the receiver tells the date of a point; this number shows for how long the receiver's time was consistent.
    public var steady: Int64 = 0
    /// Whether the host slept between the previous point and this one, so that the way between them is not known.
    public var isAfterSleep = false

    public init(time: UTCInstant, latitude: Double, longitude: Double) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
    }

    /// - Returns: Nil where the fix has no position or no validated time.
    public init?(_ fix: Fix) {
        guard fix.isTimeValidated, let time = fix.time, fix.hasPosition, let latitude = fix.latitude,
            let longitude = fix.longitude
        else { return nil }
        self.init(time: time, latitude: latitude, longitude: longitude)
        altitude = fix.altitudeAboveMeanSeaLevel
        horizontalAccuracy = fix.horizontalAccuracy
        speed = fix.speed
        course = fix.courseOverGround
    }
}
