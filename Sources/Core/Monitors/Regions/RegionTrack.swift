internal import Fusion

/// The track of the board's accepted positions.
///
/// A position that fits neither the track's last place nor its motion is doubted at first. A jump that no vehicle can
/// make is followed only after it has lasted, so that a reflected signal crosses no border.
struct RegionTrack: Sendable {
    struct Sample: Sendable {
        var nanoseconds: Int64
        var place: RegionPlace
        var covariance: HorizontalCovariance
    }

    enum Step: Sendable {
        /// The position continues the track.
        case continued
        /// The track begins anew at the position; the way to it is not known.
        case begun
        /// The position is not accepted yet.
        case doubted
    }

    private(set) var last: Sample?
    private var doubted: Sample?
    private var doubtedSince: Int64 = 0
    private var doubtedCount = 0
    private var history = MotionHistory()

    /// Positions that do not continue the track are accepted once at least `agreeing` of them in a row, over `doubt`
    /// nanoseconds, have agreed with one another.
    private static let doubt: Int64 = 10_000_000_000
    private static let agreeing = 7
    /// Half of the hardest acceleration or braking of any vehicle, in metres per second²; `topSpeed` is the highest
    /// speed of any vehicle, in metres per second.
    private static let halfAcceleration = 2.0
    private static let topSpeed = 70.0
    /// Seconds in which a moving board can stop or turn any corner.
    private static let corner = 3.0
    /// The difference allowed between the expected and the measured position: `minimumLeeway` metres, plus `leeway` times
    /// the sum of both standard deviations.
    private static let minimumLeeway = 5.0
    private static let leeway = 1.5

    mutating func found(_ sample: Sample) -> Step {
        guard let last else { return begin(sample) }
        if isPlausible(sample, after: last, velocity: history.velocity, withoutNews: silence(before: sample, last)) {
            doubtedCount = 0
            history.append(sample)
            self.last = sample
            return .continued
        }
        if let doubted, doubtedCount > 0, isPlausible(sample, after: doubted, velocity: nil, withoutNews: 0) {
            doubtedCount += 1
        } else {
            doubtedCount = 1
            doubtedSince = sample.nanoseconds
        }
        doubted = sample
        let isOld = sample.nanoseconds &- doubtedSince >= RegionTrack.doubt
        return doubtedCount >= RegionTrack.agreeing && isOld ? begin(sample) : .doubted
    }

    /// The nanoseconds without an accepted position, in which the board can have changed its speed unnoticed.
    ///
    /// A position that was doubted in the meantime shortens this time, since it shows that the board did not move far.
    private func silence(before sample: Sample, _ last: Sample) -> Int64 {
        let whole = sample.nanoseconds &- last.nanoseconds
        guard doubtedCount > 0, let doubted else { return whole }
        return min(whole, max(doubtedSince &- last.nanoseconds, sample.nanoseconds &- doubted.nanoseconds))
    }

    private mutating func begin(_ sample: Sample) -> Step {
        doubtedCount = 0
        history = MotionHistory()
        history.append(sample)
        last = sample
        return .begun
    }

    /// - Parameters:
    ///   - velocity: The velocity at the earlier position, in metres per second; nil where it is not known, so that any
    ///     velocity is possible.
    ///   - silence: Nanoseconds in which the board can have changed its speed unnoticed.
    private func isPlausible(
        _ sample: Sample, after before: Sample, velocity: EarthVector?, withoutNews silence: Int64
    ) -> Bool {
        let seconds = Double(sample.nanoseconds &- before.nanoseconds) / 1e9
        let unseen = Double(silence) / 1e9
        let way = sample.place.vector - before.place.vector
        let error = RegionTrack.leeway * (sample.deviation + before.deviation) + RegionTrack.minimumLeeway
        guard let velocity else { return way.length <= RegionTrack.topSpeed * seconds + error }
        let rest = EarthVector(
            x: way.x - velocity.x * seconds, y: way.y - velocity.y * seconds, z: way.z - velocity.z * seconds)
        let motion = min(RegionTrack.halfAcceleration * unseen * unseen, RegionTrack.topSpeed * unseen)
        if rest.length <= motion + error { return true }
        // After some seconds without an accepted position, a moving board can have stopped, or turned any corner, so
        // only the length of its way is checked.
        return unseen > RegionTrack.corner && way.length <= velocity.length * seconds + motion + error
    }

    /// The mean velocities in the last two time spans, one right after the other; metres per second.
    var velocities: (recent: EarthVector, earlier: EarthVector)? { history.velocities }
}

extension RegionTrack.Sample {
    /// The standard deviation of the position per axis (the quadratic mean of both axes); metres.
    var deviation: Double { ((covariance.eastEast + covariance.northNorth) / 2).squareRoot() }
}

/// The last positions, at least 0.4 s apart, and the mean velocities between them.
struct MotionHistory: Sendable {
    private struct Entry: Sendable {
        var nanoseconds: Int64 = 0
        var vector = EarthVector(x: 0, y: 0, z: 0)
    }

    private static let capacity = 32
    private var entries = InlineArray<32, Entry>(repeating: Entry())
    private var next = 0
    private var count = 0
    private(set) var velocities: (recent: EarthVector, earlier: EarthVector)?
    /// The mean velocity in the last span of 6 s or more, or since the oldest position kept; metres per second.
    private(set) var velocity: EarthVector?

    /// The least length in nanoseconds of a time span over which a velocity is computed; `spacing` is the least time
    /// between two stored positions.
    private static let span: Int64 = 6_000_000_000
    private static let spacing: Int64 = 400_000_000
    /// The age in nanoseconds beyond which a position says nothing about the present motion.
    private static let longest: Int64 = 130_000_000_000

    mutating func append(_ sample: RegionTrack.Sample) {
        let now = Entry(nanoseconds: sample.nanoseconds, vector: sample.place.vector)
        let middle = entry(before: now)
        let first = middle.flatMap { entry(before: $0) }
        let recent = middle.map { MotionHistory.velocity(from: $0, to: now) }
        velocities = nil
        if let recent, let first, let middle {
            velocities = (recent, MotionHistory.velocity(from: first, to: middle))
        }
        velocity = recent ?? oldest.map { MotionHistory.velocity(from: $0, to: now) }
        let isDue = count == 0 || now.nanoseconds &- newest.nanoseconds >= MotionHistory.spacing
        guard isDue else { return }
        entries[next] = now
        next = (next + 1) % MotionHistory.capacity
        count = min(count + 1, MotionHistory.capacity)
    }

    private var newest: Entry { entries[(next + MotionHistory.capacity - 1) % MotionHistory.capacity] }

    private var oldest: Entry? {
        count == 0 ? nil : entries[(next + MotionHistory.capacity - count) % MotionHistory.capacity]
    }

    /// The latest stored position that is at least `span` older than `later`; nil where there is none, or it is too
    /// old.
    private func entry(before later: Entry) -> Entry? {
        // A `Span` of the array is used, because a subscript of the inline array itself may copy all of it.
        let entries = entries.span
        for back in 0..<count {
            let entry = entries[(next + 2 * MotionHistory.capacity - 1 - back) % MotionHistory.capacity]
            let age = later.nanoseconds &- entry.nanoseconds
            if age >= MotionHistory.span { return age <= MotionHistory.longest ? entry : nil }
        }
        return nil
    }

    private static func velocity(from: Entry, to: Entry) -> EarthVector {
        let seconds = max(0.1, Double(to.nanoseconds &- from.nanoseconds) / 1e9)
        let way = to.vector - from.vector
        return EarthVector(x: way.x / seconds, y: way.y / seconds, z: way.z / seconds)
    }
}
