public import SextantUnits

/// Merges the fixes of all receivers into one location, whose accuracy is learned from the fixes themselves.
///
/// Every call passes the time; the filter reads no clock. The filter allocates no memory after its creation.
public struct LocationFilter: Sendable {
    public internal(set) var counters = FilterCounters()
    var receivers = ReceiverTable()
    var track: Track?
    var doubt = RefusedFixes()
    var pastRow = PastRow()
    var hints = SensorHints()

    public init() {}

    /// Improves the estimated location with a fix of one receiver.
    ///
    /// - Parameter instant: The instant for which the fix holds: its reception minus the receiver's latency.
    /// - Returns: The board's estimated location at that instant. A fix that is refused as an outlier does not change
    ///   the estimate, which is still returned; a fix that is refused for another reason gives nil. `counters` counts
    ///   both kinds.
    public mutating func update(_ fix: FilterFix, at instant: MonotonicInstant) -> FusedLocation? {
        if let refusal = fix.refusal {
            counters.count(refusal)
            return nil
        }
        let place = TangentPlane.Place(latitude: fix.latitude, longitude: fix.longitude)
        let slot = receivers.slot(of: fix.receiver)
        guard let known = track else { return start(fix, place, slot, at: instant) }
        if let refusal = refusal(of: fix, slot, at: instant, known) {
            counters.count(refusal)
            guard refusal == .stale, pastRow.isLong(with: instant, knownAt: known.instant) else { return nil }
            return start(fix, place, slot, at: instant)
        }
        return found(fix, place, slot, at: instant)
    }

    /// The board's location, predicted for an instant after the last fix; its accuracy is worse the longer ago that fix
    /// was.
    ///
    /// For an instant before the last fix, the result is the estimate at that fix; nil where there has been no fix.
    public func predicted(at instant: MonotonicInstant) -> FusedLocation? {
        guard var track else { return nil }
        guard instant > track.instant else { return track.location(.measured, hints) }
        track.advance(to: instant, hints)
        return track.location(.coasting, hints)
    }

    /// Takes the accelerometer's report on whether the board is being moved.
    ///
    /// The report holds until the accelerometer's next one.
    public mutating func sensed(motion: Bool, at instant: MonotonicInstant) {
        guard instant >= hints.motionInstant else { return }
        hints.stillSince = motion ? nil : hints.stillSince ?? instant
        hints.isMoved = motion
        hints.motionInstant = instant
    }

    /// Takes the compass heading, which the location shows while the board is too slow to have a course.
    ///
    /// - Parameter degreesTrue: The heading in degrees from true north.
    /// - Parameter accuracy: The heading's accuracy in degrees, 68 %.
    public mutating func sensed(heading degreesTrue: Double, accuracy: Double, at instant: MonotonicInstant) {
        guard degreesTrue.isFinite, accuracy.isFinite, accuracy >= 0, abs(degreesTrue) <= 720 else { return }
        let turned = degreesTrue.truncatingRemainder(dividingBy: 360)
        hints.heading = FusedHeading(degrees: turned < 0 ? turned + 360 : turned, accuracy: accuracy, source: .compass)
        hints.headingInstant = instant
    }

    private func refusal(
        of fix: FilterFix, _ slot: Int, at instant: MonotonicInstant, _ known: Track
    ) -> FixRefusal? {
        let age = known.instant.nanoseconds.subtractingReportingOverflow(instant.nanoseconds)
        if age.overflow || age.partialValue > LocationFilter.latest {
            return receivers.slots[slot].isRepeated(fix, at: instant) ? .duplicate : .stale
        }
        return receivers.slots[slot].refusal(of: fix, at: instant)
    }

    private mutating func start(
        _ fix: FilterFix, _ place: TangentPlane.Place, _ slot: Int, at instant: MonotonicInstant
    ) -> FusedLocation? {
        receivers.slots[slot].note(fix, at: instant)
        receivers.forgetPlaces()
        let error = ReadError(receivers.slots[slot].accuracy, fix, pace: 60, lag: 0, isLone: true)
        track = Track(fix, place, error, at: instant)
        doubt = RefusedFixes()
        pastRow = PastRow()
        counters.accepted &+= 1
        return track?.location(.measured, hints)
    }

    private mutating func found(
        _ fix: FilterFix, _ place: TangentPlane.Place, _ slot: Int, at instant: MonotonicInstant
    ) -> FusedLocation? {
        guard var next = track else { return nil }
        let deviation = ReceiverAccuracy.deviation(claimed: fix.claimedAccuracy)
        let isLone = receivers.isLone(slot, at: instant)
        let pace = receivers.slots[slot].pace(at: instant)
        receivers.slots[slot].note(fix, at: instant)
        guard next.advance(to: instant, hints) else { return start(fix, place, slot, at: instant) }
        if next.moveOrigin() { receivers.forgetPlaces() }
        let lag = max(0, Double(next.instant.nanoseconds(since: instant)) / 1e9)
        let point = next.plane.point(of: place)
        if lag == 0 { receivers.slots[slot].accuracy.learn(point, deviation: deviation, at: instant) }
        if let since = hints.stillSince {
            receivers.slots[slot].accuracy.witnessRest(
                point, since: since, deviation: deviation, isClaimed: fix.claimedAccuracy != nil, at: instant)
        }
        let error = ReadError(receivers.slots[slot].accuracy, fix, pace: pace, lag: lag, isLone: isLone)
        guard next.found(fix, point, place, error) else {
            track = next
            return refuse(fix, place, error, deviation: deviation, at: instant)
        }
        guard next.isSound else { return start(fix, place, slot, at: instant) }
        receivers.slots[slot].accuracy.witness(
            point, motion: next.motion(fix, place), deviation: deviation, isClaimed: fix.claimedAccuracy != nil,
            at: instant)
        track = next
        doubt = RefusedFixes()
        pastRow = PastRow()
        counters.accepted &+= 1
        return next.location(.measured, hints)
    }

    /// Counts an outlier, and restarts the estimate at the outlier's place once enough outliers agree with each other.
    private mutating func refuse(
        _ fix: FilterFix, _ place: TangentPlane.Place, _ error: ReadError, deviation: Double,
        at instant: MonotonicInstant
    ) -> FusedLocation? {
        guard let known = track else { return nil }
        let isYoung = known.support < LocationFilter.young
        guard doubt.isSettled(by: place, deviation: deviation, isYoung: isYoung, at: instant) else {
            counters.count(.outlier)
            return known.location(.coasting, hints)
        }
        var next = Track(fix, place, error, at: instant)
        next.start(velocity: doubt.velocity)
        receivers.forgetPlaces()
        counters.reacquired &+= 1
        counters.accepted &+= 1
        doubt = RefusedFixes()
        track = next
        return next.location(.measured, hints)
    }

    /// An estimate from fewer fixes than this is given up as soon as three outliers agree with each other.
    private static let young = 3
    /// A fix that is older than the estimate by more than this many nanoseconds is refused as stale; it is more than
    /// the latencies of two receivers can differ.
    private static let latest: Int64 = 2_000_000_000
}

/// How large the error of one fix is expected to be, with the fix's age and the seconds since the receiver's previous
/// fix.
struct ReadError: Sendable {
    var position: PositionError
    var slow: SlowError
    /// Seconds by which the fix is older than the estimate.
    var lag: Double
    /// Whether the fix is from the one receiver whose slow error (the part that lasts for minutes) the estimate models.
    var isLone: Bool
    /// Seconds since the previous fix of the same receiver.
    var pace: Double

    init(_ accuracy: ReceiverAccuracy, _ fix: FilterFix, pace: Double, lag: Double, isLone: Bool) {
        let deviation = ReceiverAccuracy.deviation(claimed: fix.claimedAccuracy)
        let white = accuracy.noise(deviation: deviation)
        slow = accuracy.slowError(deviation: deviation, isClaimed: fix.claimedAccuracy != nil)
        self.lag = lag
        self.isLone = isLone
        self.pace = pace
        // Noise changes about once a second, so ten fixes within a second share one noise and tell as much as one.
        let crowd = max(1, 1 / max(pace, 0.01))
        position =
            isLone
            ? PositionError(noise: white * crowd, slow: slow.variance.squareRoot())
            : PositionError(noise: (white + slow.variance) * max(crowd, 20 / max(pace, 0.01)), slow: 0)
        position.crowd = crowd
        if pace > ReadError.dense { position.tails = PositionError.moved }
    }

    /// If two fixes of a receiver are more than this many seconds apart and the second is far from the first, it is
    /// more likely that the board has moved than that the second is an outlier.
    private static let dense = 10.0
}
