public import Fusion
internal import SextantUnits

// MARK: Following

extension RegionMonitor {
    /// Takes a position of the board; appends the events that follow, in the order in which they were confirmed.
    public mutating func found(_ location: FusedLocation, into events: inout [RegionEvent]) {
        guard location.support == .measured, let sample = RegionTrack.Sample(location) else {
            return advance(to: location.instant, into: &events)
        }
        let before = track.last
        if let before, sample.nanoseconds <= before.nanoseconds { return }
        let step = track.found(sample)
        guard case .doubted = step else {
            let isContinued = if case .continued = step { true } else { false }
            move(from: before, to: sample, location, isContinued: isContinued, into: &events)
            return advance(to: location.instant, into: &events)
        }
        advance(to: location.instant, into: &events)
    }

    private mutating func move(
        from before: RegionTrack.Sample?, to sample: RegionTrack.Sample, _ location: FusedLocation, isContinued: Bool,
        into events: inout [RegionEvent]
    ) {
        step += 1
        let length = before.map { (sample.place.vector - $0.place.vector).length } ?? 0
        way += length
        need = max(ConfirmationRule.depth(deviation: sample.largestDeviation, speed: 0), RegionMonitor.minimumNeed)
        let motion = BorderMotion(location, of: sample, track)
        if count > 0, way + need >= renewal { look(from: before, to: sample, length) }
        let previous = isContinued ? before : nil
        for index in watched.indices where way + need >= watched[index].quietUntil {
            evaluate(index, from: previous, to: sample, length, motion, into: &events)
        }
        if !unsettled.isEmpty { settle(sample, motion, into: &events) }
    }

    /// The smallest radius in metres about a position, even an exact one, within which borders are checked.
    private static let minimumNeed = 15.0

    /// Finds the borders that the board may have crossed at its next positions, and how far away all other borders are.
    private mutating func look(from before: RegionTrack.Sample?, to sample: RegionTrack.Sample, _ length: Double) {
        settleIndex()
        // The search begins at the middle of the step to this position: a border that the step crossed is at most half
        // of the step's length away from there.
        let middle = before.map { $0.place.interpolated(to: sample.place, at: 0.5) } ?? sample.place
        let hasJumped = length > RegionMonitor.longestStraight
        let reach = need + (hasJumped ? length : length / 2 + RegionMonitor.horizonMargin)
        let nearest = hasJumped ? 0 : index.nearestBorder(to: sample.place, geometry) - need - length
        if nearest > RegionMonitor.farAway {
            keepPending()
            horizon = way + nearest + need + length
            renewal = horizon - nearest / 2
            return
        }
        keepPending()
        found.removeAll(keepingCapacity: true)
        let next = index.collect(
            within: reach, of: hasJumped ? before?.place ?? sample.place : middle, geometry, into: &found)
        for slot in found where !states[Int(slot)].isWatched && !states[Int(slot)].isUnsettled {
            states[Int(slot)].isWatched = true
            watched.append(WatchedBorder(slot: slot))
        }
        horizon = way + (hasJumped ? 0 : next - length / 2)
        renewal = horizon - RegionMonitor.horizonMargin / 2
    }

    /// The greatest distance in metres between two positions at which the way between them counts as straight.
    private static let longestStraight = 5_000.0
    /// Borders up to this many metres farther away than necessary are watched too, so that a new search for nearby
    /// borders is needed less often.
    private static let horizonMargin = 200.0
    /// If every border is more than this many metres beyond the distance within which borders are checked, only borders
    /// with a crossing that is not confirmed yet are watched.
    private static let farAway = 100.0

    private mutating func keepPending() {
        var kept = 0
        for index in watched.indices {
            if watched[index].isPending {
                watched.swapAt(kept, index)
                kept += 1
            } else {
                states[Int(watched[index].slot)].isWatched = false
            }
        }
        watched.removeSubrange(kept...)
    }
}

/// The board's velocity, and the uncertainty of its present position.
struct BorderMotion: Sendable {
    var covariance: HorizontalCovariance
    var velocity: LocalVelocity?
    var isStationary: Bool
    /// The mean velocities in the latest time span and in the one before it, in metres per second east and north; nil
    /// while there are too few positions.
    private var spans: (recent: LocalPoint, earlier: LocalPoint)?

    init(_ location: FusedLocation, of sample: RegionTrack.Sample, _ track: RegionTrack) {
        covariance = sample.covariance
        velocity = location.velocity
        isStationary = location.isStationary
        spans = track.velocities.map { (sample.place.local($0), sample.place.local($1)) }
    }

    /// The standard deviation of the position along a direction; metres.
    func deviation(along direction: LocalPoint) -> Double {
        max(0, covariance.variance(along: direction)).squareRoot()
    }

    /// A lower bound of the board's speed along a direction, with the error of its velocity allowed for; metres per
    /// second.
    func speed(along direction: LocalPoint) -> Double {
        guard !isStationary else { return 0 }
        let travelled = spans.map { min($0.along(direction), $1.along(direction)) } ?? 0
        guard let velocity, velocity.deviation.isFinite else { return travelled }
        let measured = LocalPoint(east: velocity.east, north: velocity.north).along(direction) - velocity.deviation
        return max(measured, travelled)
    }

    /// How many metres beyond a border confirm a crossing, and whether the board moves away from the border.
    ///
    /// - Parameter direction: The direction away from the border, of unit length.
    func needed(along direction: LocalPoint) -> (depth: Double, isMoving: Bool) {
        let speed = speed(along: direction)
        return (
            ConfirmationRule.depth(deviation: deviation(along: direction), speed: speed),
            ConfirmationRule.isMoving(speed)
        )
    }
}

extension RegionTrack.Sample {
    /// The standard deviation of the position along the axis on which it is largest; metres.
    var largestDeviation: Double {
        let half = (covariance.eastEast - covariance.northNorth) / 2
        let spread = (half * half + covariance.eastNorth * covariance.eastNorth).squareRoot()
        return ((covariance.eastEast + covariance.northNorth) / 2 + spread).squareRoot()
    }
}

extension LocalPoint {
    /// The component of this vector along a direction, which is a vector of unit length.
    @inline(__always)
    func along(_ direction: LocalPoint) -> Double { east * direction.east + north * direction.north }
}
