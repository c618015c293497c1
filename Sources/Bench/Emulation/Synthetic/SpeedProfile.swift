import Glibc
import SextantUnits

/// The vehicle's speed along its course: phases of standing, steady speed, and smooth changes of speed.
///
/// A change of speed follows half a cosine, so the acceleration starts and ends at 0.
struct SpeedProfile: Sendable {
    private struct Phase: Sendable {
        var startTime: Double
        var duration: Double
        var startDistance: Double
        var startSpeed: Double
        var endSpeed: Double

        func state(at time: Double) -> (distance: Double, speed: Double) {
            let elapsed = min(time - startTime, duration)
            guard startSpeed != endSpeed else { return (startDistance + startSpeed * elapsed, startSpeed) }
            let half = (endSpeed - startSpeed) / 2
            let angle = .pi * elapsed / duration
            let distance = startSpeed * elapsed + half * (elapsed - duration / .pi * sin(angle))
            return (startDistance + distance, startSpeed + half * (1 - cos(angle)))
        }
    }

    private static let acceleration = 1.4
    private static let deceleration = 1.8
    /// The speed in a turn, in metres per second, for a lateral acceleration of 2.5 m/s².
    private static let turnSpeed = (2.5 * DriveCourse.turnRadius).squareRoot()
    private static let speedLimits = [8.3, 13.9, 13.9, 19.4, 25.0]
    private static let stopProbability = 0.35

    private var phases: [Phase] = []
    private(set) var duration = 0.0
    private var distance = 0.0

    init(course: DriveCourse, parkedSeconds: Double, random: inout SplitMix64) {
        stand(seconds: parkedSeconds)
        var speed = 0.0
        for (index, piece) in course.pieces.enumerated() {
            guard piece.curvature == 0 else {
                turn(length: piece.length, from: speed)
                speed = Self.turnSpeed
                continue
            }
            let isLast = index == course.pieces.count - 1
            let stops = isLast || random.nextUnit() < Self.stopProbability
            let limit = Self.speedLimits[Int(random.next() % UInt64(Self.speedLimits.count))]
            let end = stops ? 0 : Self.turnSpeed
            straight(length: piece.length, from: speed, to: end, limit: limit)
            if stops, !isLast { stand(seconds: random.next(in: 4...35)) }
            speed = end
        }
    }

    func state(at time: Double) -> (distance: Double, speed: Double) {
        let index = phases.lastIndex { $0.startTime <= time } ?? 0
        return phases[index].state(at: time)
    }

    private mutating func straight(length: Double, from: Double, to: Double, limit: Double) {
        let (up, down) = (Self.acceleration, Self.deceleration)
        let reachable = ((2 * length + from * from / up + to * to / down) / (1 / up + 1 / down)).squareRoot()
        let cruise = min(limit, reachable)
        let changes = (cruise * cruise - from * from) / (2 * up) + (cruise * cruise - to * to) / (2 * down)
        change(from: from, to: cruise, acceleration: up)
        add(seconds: max(length - changes, 0) / cruise, from: cruise, to: cruise)
        change(from: cruise, to: to, acceleration: down)
    }

    /// Adds a turn at the turn speed; if the vehicle stood before the turn, its speed rises to the turn speed during
    /// the turn.
    private mutating func turn(length: Double, from: Double) {
        let seconds = length * 2 / (from + Self.turnSpeed)
        add(seconds: seconds, from: from, to: Self.turnSpeed)
    }

    private mutating func change(from: Double, to: Double, acceleration: Double) {
        add(seconds: abs(to - from) / acceleration, from: from, to: to)
    }

    private mutating func stand(seconds: Double) {
        add(seconds: seconds, from: 0, to: 0)
    }

    private mutating func add(seconds: Double, from: Double, to: Double) {
        guard seconds > 0 else { return }
        phases.append(
            Phase(startTime: duration, duration: seconds, startDistance: distance, startSpeed: from, endSpeed: to)
        )
        duration += seconds
        distance += (from + to) / 2 * seconds
    }
}
