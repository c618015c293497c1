public import GNSS
import Glibc
internal import SextantUnits

/// A true position at one time, with speed and course if they are known.
public struct TrajectoryPoint: Sendable, Hashable {
    /// Seconds since 1970, UTC.
    public var time: Double
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Metres above mean sea level.
    public var altitude: Double
    /// The speed over ground in metres per second; nil to compute it from the positions.
    public var speed: Double?
    /// The course in degrees from true north; nil to compute it from the positions.
    public var course: Double?

    public init(
        time: Double, latitude: Double, longitude: Double, altitude: Double = 0, speed: Double? = nil,
        course: Double? = nil
    ) {
        self.time = time
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.speed = speed
        self.course = course
    }
}

/// The true position and motion at one time.
public struct TruePoint: Sendable, Hashable {
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Metres above mean sea level.
    public var altitude: Double
    /// The speed over ground in metres per second.
    public var speed: Double
    /// The course in degrees from true north, 0 up to 360.
    public var course: Double
    /// Metres per second.
    public var velocity: VelocityNED
}

/// A true trajectory with points at any spacing: it is linear between them, and at rest before the first and after the
/// last.
///
/// Where the points state no speed or course, these are computed from the positions a second before and after.
public struct Trajectory: Sendable {
    public let points: [TrajectoryPoint]

    /// Takes the points, of which there must be at least one, in the order of time.
    public init(points: [TrajectoryPoint]) {
        precondition(!points.isEmpty, "a trajectory has at least one point")
        precondition(zip(points, points.dropFirst()).allSatisfy { $0.time < $1.time }, "times of a trajectory rise")
        self.points = points
    }

    /// Seconds since 1970, UTC.
    public var startTime: Double { points[0].time }
    /// The time from the first point to the last, in seconds.
    public var duration: Double { points[points.count - 1].time - startTime }

    public func position(at unixSeconds: Double) -> TruePoint {
        let (first, second, share) = segment(at: unixSeconds)
        let here = place(first, second, share)
        let before = place(at: unixSeconds - 1)
        let after = place(at: unixSeconds + 1)
        let scale = LocalScale(latitude: here.latitude)
        var velocity = VelocityNED(
            north: (after.latitude - before.latitude) / 2 * scale.metresPerDegreeNorth,
            east: shortestTurn(from: before.longitude, to: after.longitude) / 2 * scale.metresPerDegreeEast,
            down: (before.altitude - after.altitude) / 2)
        var speed = hypot(velocity.north, velocity.east)
        var course = atan2(velocity.east, velocity.north) * 180 / .pi
        if isInside(unixSeconds), let told = told(first, second, share) {
            speed = told.speed
            course = told.course ?? course
            velocity.north = speed * cos(course * .pi / 180)
            velocity.east = speed * sin(course * .pi / 180)
        }
        return TruePoint(
            latitude: here.latitude, longitude: here.longitude, altitude: here.altitude, speed: speed,
            course: course < 0 ? course + 360 : course, velocity: velocity)
    }

    private func isInside(_ time: Double) -> Bool { time >= startTime && time <= points[points.count - 1].time }

    private func place(at time: Double) -> (latitude: Double, longitude: Double, altitude: Double) {
        let (first, second, share) = segment(at: time)
        return place(first, second, share)
    }

    /// The indices of the points before and after a time, and how much of the time between them has passed, 0 to 1.
    private func segment(at time: Double) -> (first: Int, second: Int, share: Double) {
        // `low` is the last point that is not after the time; if the time is before all points, `low` is the first
        // point.
        let low = max(0, points.partitioningIndex { $0.time > time } - 1)
        guard low + 1 < points.count, time > points[low].time else { return (low, low, 0) }
        return (low, low + 1, (time - points[low].time) / (points[low + 1].time - points[low].time))
    }
}

extension Trajectory {
    private func place(
        _ first: Int, _ second: Int, _ share: Double
    ) -> (latitude: Double, longitude: Double, altitude: Double) {
        let (start, end) = (points[first], points[second])
        return (
            start.latitude + (end.latitude - start.latitude) * share,
            LocalFrame.wrapped(start.longitude + shortestTurn(from: start.longitude, to: end.longitude) * share),
            start.altitude + (end.altitude - start.altitude) * share
        )
    }

    /// The speed and course that two neighbouring points state, interpolated; nil if one of them states no speed.
    private func told(_ first: Int, _ second: Int, _ share: Double) -> (speed: Double, course: Double?)? {
        guard let start = points[first].speed, let end = points[second].speed else { return nil }
        let course = points[first].course.flatMap { from in
            points[second].course.map { from + shortestTurn(from: from, to: $0) * share }
        }
        return (start + (end - start) * share, course)
    }
}

/// The shorter turn from one angle to another in degrees, -180 up to 180.
func shortestTurn(from start: Double, to end: Double) -> Double {
    LocalFrame.wrapped(end - start)
}

/// The length in metres of a degree of latitude and of longitude at a latitude, on a sphere of the Earth's mean radius;
/// it is within half a percent of the ellipsoid's.
struct LocalScale: Sendable {
    let metresPerDegreeNorth = GreatCircle.meanRadius * Double.pi / 180
    let metresPerDegreeEast: Double

    init(latitude: Double) {
        metresPerDegreeEast = metresPerDegreeNorth * cos(latitude * .pi / 180)
    }
}
