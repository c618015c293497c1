import BenchControl
import Foundation

/// Where a receiver is: metres north and east of where a fix is unless moved.
struct Ground: Equatable {
    var north = 0.0
    var east = 0.0

    func distance(to other: Ground) -> Double {
        let (north, east) = (other.north - north, other.east - east)
        return (north * north + east * east).squareRoot()
    }

    /// Degrees from true north.
    func course(to other: Ground) -> Double {
        let degrees = atan2(other.east - east, other.north - north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }

    func point(towards other: Ground, part: Double) -> Ground {
        Ground(north: north + (other.north - north) * part, east: east + (other.east - east) * part)
    }
}

/// Fixes as a receiver gives them that goes somewhere: places, speeds and courses that agree.
enum Way {
    /// A fix a second from a place to another, that at the end included: it starts, goes at a steady speed and brakes.
    ///
    /// - Parameters:
    ///   - speed: Metres per second.
    ///   - accuracy: Metres, 68 %.
    static func fixes(from start: Ground, to end: Ground, speed: Double, accuracy: Double = 5) -> [InjectedFix] {
        let distance = start.distance(to: end)
        guard distance > 0 else { return [] }
        let course = start.course(to: end)
        // What takes longer to start and to brake than there is way for never gets that fast.
        let top = min(speed, (distance * acceleration).squareRoot())
        let ramp = top / acceleration
        let duration = distance / top + ramp
        return (1...Int(duration.rounded(.up))).map { second in
            let time = min(Double(second), duration)
            let (gone, pace) = state(at: time, of: duration, ramp: ramp, top: top)
            let place = start.point(towards: end, part: gone / distance)
            return InjectedFix(north: place.north, east: place.east, accuracy: accuracy).with {
                ($0.speed, $0.course, $0.courseAccuracy) = (pace, course, pace > 0.5 ? 2 : 180)
            }
        }
    }

    /// Metres gone and metres per second at a time of a way.
    private static func state(
        at time: Double, of duration: Double, ramp: Double, top: Double
    ) -> (gone: Double, pace: Double) {
        let (early, late) = (min(time, ramp), max(0, time - (duration - ramp)))
        let gone = acceleration * (early * early / 2 - late * late / 2) + top * (time - early)
        return (gone, acceleration * (early - late))
    }

    /// Metres per second squared.
    private static let acceleration = 1.0
}

extension InjectedFix {
    /// Where it is.
    var ground: Ground {
        Ground(
            north: (latitude - InjectedFix().latitude) * InjectedFix.metresPerDegreeNorth,
            east: (longitude - InjectedFix().longitude) * InjectedFix.metresPerDegreeEast)
    }
}

extension CoreLocationBench {
    /// The receiver goes to a place, a fix a second.
    ///
    /// - Parameters:
    ///   - speed: Metres per second.
    ///   - isOver: Looked at after every fix, in the same instant; what is true ends the way there.
    func travel(
        north: Double, east: Double = 0, speed: Double = 5, accuracy: Double = 5,
        until isOver: () throws -> Bool = { false }
    ) async throws {
        let end = Ground(north: north, east: east)
        try await follow(Way.fixes(from: ground, to: end, speed: speed, accuracy: accuracy), every: 1, until: isOver)
    }

    /// The receiver stays where it is, with a fix every so many seconds.
    func stay(
        seconds: Double, every interval: Double = 1, accuracy: Double = 5,
        until isOver: () throws -> Bool = { false }
    ) async throws {
        let fix = InjectedFix(north: ground.north, east: ground.east, accuracy: accuracy)
        let count = Int((seconds / interval).rounded())
        try await follow(Array(repeating: fix, count: count), every: interval, until: isOver)
    }

    // MARK: About home, 200 m around where a fix is unless moved

    /// A first position 1500 m south of home, and as many more as make it certain.
    func beAway(seconds: Double = 20) async throws {
        try await fix(InjectedFix(north: -1500))
        try await stay(seconds: seconds)
    }

    /// The receiver drives home, and stays until it is known to be there.
    func comeHome(until isOver: () throws -> Bool = { false }) async throws {
        try await travel(north: 0, speed: 15, until: isOver)
        if try !isOver() { try await stay(seconds: 15, until: isOver) }
    }

    /// The receiver drives away from home, 1500 m to the south.
    func leaveHome(until isOver: () throws -> Bool = { false }) async throws {
        try await travel(north: -1500, speed: 15, until: isOver)
        if try !isOver() { try await stay(seconds: 15, until: isOver) }
    }

    /// The receiver stays where it is for as long as makes a visit.
    func stayForVisit(until isOver: () throws -> Bool = { false }) async throws {
        try await stay(seconds: 600, every: 10, until: isOver)
    }

    private func follow(
        _ fixes: [InjectedFix], every seconds: Double, until isOver: () throws -> Bool
    ) async throws {
        for fix in fixes {
            try send(fix)
            if try isOver() { break }
            try await pass(seconds: seconds)
        }
        try await settle()
    }
}
