public import GNSS
public import SextantUnits

/// Where the board was at a time: a point of the track; what is unknown is nil.
public struct TrackedPlace: Sendable, Hashable {
    public var time: UTCInstant
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// Metres above mean sea level.
    public var altitude: Double?
    /// The radius that holds 68 % of horizontal errors; metres.
    public var horizontalAccuracy: Double?
    /// Metres per second.
    public var speed: Double?
    /// Degrees from true north.
    public var course: Double?
    /// Nanoseconds of the board's clock since the point before, while the receiver's time kept pace with that clock.
    ///
    /// Nobody but the receiver says on which date a point was recorded; this says how long it said so.
    public var steady: Int64 = 0
    /// Whether the host slept since the point before, so that nobody saw the way between them.
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
