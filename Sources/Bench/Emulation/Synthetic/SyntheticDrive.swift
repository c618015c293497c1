public import GNSS
import Glibc
import SextantUnits

/// A vehicle's true position and motion, which an emulated receiver measures.
public struct TrueMotion: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east, -180 up to 180.
    public var longitude: Double
    /// Altitude above mean sea level, in metres.
    public var altitudeAboveMeanSeaLevel: Double
    /// The geoid's height above the ellipsoid, in metres.
    public var geoidSeparation: Double
    /// Metres per second.
    public var velocity: VelocityNED
    /// The speed over ground in metres per second.
    public var speed: Double
    /// The direction in which the vehicle's nose points, in degrees from true north, 0 up to 360; unchanged while
    /// parked.
    public var courseOverGround: Double

    /// Height above the ellipsoid, in metres.
    public var heightAboveEllipsoid: Double { altitudeAboveMeanSeaLevel + geoidSeparation }
}

/// An endless drive through the streets of a made-up town: parked, then legs with turns, traffic lights and hills.
///
/// Speeds are 0 to 25 m/s; mean accelerations are 1.4 m/s² when speeding up and 1.8 m/s² when braking. The course is
/// closed: after each lap the vehicle parks again at the start, so the motion at any time can be computed without a
/// history.
public struct SyntheticDrive: Sendable {
    /// The place where the drive starts, and how long the vehicle is parked there.
    public struct Start: Sendable, Hashable {
        /// Degrees north, -85 to 85.
        public var latitude: Double
        /// Degrees east, -180 to 180.
        public var longitude: Double
        /// Altitude above mean sea level, in metres.
        public var altitudeAboveMeanSeaLevel: Double
        /// The geoid's height above the ellipsoid, in metres.
        public var geoidSeparation = 47.0
        /// Seconds that the vehicle is parked before each lap.
        public var parkedSeconds = 45.0

        public init(latitude: Double, longitude: Double, altitudeAboveMeanSeaLevel: Double) {
            self.latitude = latitude
            self.longitude = longitude
            self.altitudeAboveMeanSeaLevel = altitudeAboveMeanSeaLevel
        }
    }

    private let start: Start
    private let frame: EarthFixedFrame
    private let course: DriveCourse
    private let profile: SpeedProfile
    private let hills: Hills

    public init(start: Start, seed: UInt64) {
        precondition((-85...85).contains(start.latitude), "latitude is -85 to 85 degrees")
        precondition((-180...180).contains(start.longitude), "longitude is -180 to 180 degrees")
        precondition((-200...200).contains(start.geoidSeparation), "geoid separation is -200 to 200 metres")
        precondition((0...86_400).contains(start.parkedSeconds), "parked for 0 to 86400 seconds")
        precondition((-500...9000).contains(start.altitudeAboveMeanSeaLevel), "altitude is -500 to 9000 metres")
        var random = SplitMix64(seed: seed)
        self.start = start
        frame = EarthFixedFrame(
            latitude: start.latitude,
            longitude: start.longitude,
            height: start.altitudeAboveMeanSeaLevel + start.geoidSeparation
        )
        course = DriveCourse(random: &random)
        profile = SpeedProfile(course: course, parkedSeconds: start.parkedSeconds, random: &random)
        hills = Hills(random: &random)
    }

    /// The length of one lap in seconds, including the time parked before it.
    public var lapSeconds: Double { profile.duration }

    /// The true motion at a time, given in seconds since the start; before the start the vehicle is parked.
    public func motion(atSeconds seconds: Double) -> TrueMotion {
        let lap = max(seconds, 0).truncatingRemainder(dividingBy: profile.duration)
        let (distance, speed) = profile.state(at: lap)
        let pose = course.pose(at: distance)
        let velocityEast = speed * sin(pose.heading)
        let velocityNorth = speed * cos(pose.heading)
        let slope = hills.gradient(east: pose.east, north: pose.north)
        let climb = slope.east * velocityEast + slope.north * velocityNorth
        let degrees = (pose.heading * 180 / .pi).truncatingRemainder(dividingBy: 360)
        return TrueMotion(
            latitude: start.latitude + pose.north / frame.metresPerDegreeNorth,
            longitude: LocalFrame.wrapped(start.longitude + pose.east / frame.metresPerDegreeEast),
            altitudeAboveMeanSeaLevel: start.altitudeAboveMeanSeaLevel
                + hills.height(east: pose.east, north: pose.north),
            geoidSeparation: start.geoidSeparation,
            velocity: VelocityNED(north: velocityNorth, east: velocityEast, down: -climb),
            speed: speed,
            courseOverGround: degrees < 0 ? degrees + 360 : degrees
        )
    }
}

/// Gentle hills: a height for every place, in metres above the drive's start.
private struct Hills: Sendable {
    private let phaseEast: Double
    private let phaseNorth: Double

    private static let amplitude = 7.0
    private static let lengthEast = 420.0
    private static let lengthNorth = 310.0

    init(random: inout SplitMix64) {
        phaseEast = random.next(in: 0...(2 * .pi))
        phaseNorth = random.next(in: 0...(2 * .pi))
    }

    func height(east: Double, north: Double) -> Double {
        Self.amplitude
            * (sin(east / Self.lengthEast + phaseEast) - sin(phaseEast)
                + sin(north / Self.lengthNorth + phaseNorth) - sin(phaseNorth))
    }

    func gradient(east: Double, north: Double) -> (east: Double, north: Double) {
        (
            Self.amplitude / Self.lengthEast * cos(east / Self.lengthEast + phaseEast),
            Self.amplitude / Self.lengthNorth * cos(north / Self.lengthNorth + phaseNorth)
        )
    }
}
