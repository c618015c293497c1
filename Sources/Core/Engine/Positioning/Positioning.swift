internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Monitors
internal import Sessions
internal import Units

/// Where the board is: the receiver's fixes, fused with what the accelerometer and the compass tell.
struct Positioning {
    private var filter = LocationFilter()
    /// Relates the receiver's time to the board's clock.
    private(set) var clock = FixClock()
    private var reduced = ReducedAccuracy()
    private var track = TrackKeeper()
    /// The last location that was good enough to be delivered, and when it came.
    private var last: (fix: Fix, since: MonotonicInstant)?
    /// Where the board is by all fixes so far.
    private var lastFused: FusedLocation?

    /// What of it may be asked for.
    var whereabouts: Whereabouts { Whereabouts(clock: clock, reduced: reduced, last: last, fused: lastFused) }

    /// Whether a solution is good enough to be reported.
    static func accepts(_ fix: Fix) -> Bool { DeliveryFilter.isValid(fix) }

    /// The solution as the estimator sees it; one that it refuses has no position.
    mutating func locate(_ fix: Fix, at instant: MonotonicInstant) -> (fix: Fix, location: FusedLocation?) {
        let measured = clock.instant(of: fix, readAt: instant)
        guard Positioning.accepts(fix), let read = FilterFix(fix, receiver: 0) else { return (fix, nil) }
        guard let location = filter.update(read, at: measured) else {
            var refused = fix
            refused.withdrawPosition()
            refused.type = .noFix
            return (refused, nil)
        }
        lastFused = location
        return (fix.fused(location), location)
    }

    /// Takes a fix that was found good enough, for whomever.
    ///
    /// - Returns: The estimate that is for every client of reduced accuracy now.
    mutating func found(_ fix: Fix, at instant: MonotonicInstant) -> ReducedAccuracy.Estimate? {
        last = (fix, instant)
        return reduced.follow(fix, at: instant)
    }

    /// Lets time pass.
    ///
    /// - Returns: The estimate that is for every client of reduced accuracy now.
    mutating func advance(to instant: MonotonicInstant) -> ReducedAccuracy.Estimate? { reduced.advance(to: instant) }

    /// When the next estimate for clients of reduced accuracy is due.
    var estimateDeadline: MonotonicInstant? { reduced.deadline }

    /// How often the estimator has begun anew because fixes agreed on another place.
    var jumpCount: UInt64 { filter.counters.reacquired }

    /// The learned error of the receiver's positions in the claimed one; nil before enough was learned.
    var errorInClaims: Double? { filter.errorInClaim(of: 0) }

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { filter.sensed(motion: motion, at: instant) }

    /// Takes where the nose points: degrees from true north, and what 68 % of the errors are within.
    mutating func sensed(heading degreesTrue: Double, accuracy: Double, at instant: MonotonicInstant) {
        filter.sensed(heading: degreesTrue, accuracy: accuracy, at: instant)
    }

    // MARK: The track

    /// Takes a location that somebody asked for: of nothing else a trace is kept.
    mutating func keepTrack(of fix: Fix, at instant: MonotonicInstant, into outputs: inout Outputs) {
        track.follow(fix, at: instant)
        if track.isDue(at: instant) { writeTrack(into: &outputs) }
    }

    /// Writes what was gathered.
    mutating func writeTrack(into outputs: inout Outputs) {
        let places = track.take()
        if !places.isEmpty { outputs.actions.append(.keepTrack(places)) }
    }

    /// Has an operator's question answered by the store.
    mutating func serve(
        _ request: TrackRequest, id: String?, to connection: ClientID, into outputs: inout Outputs
    ) {
        writeTrack(into: &outputs)
        outputs.actions.append(.serveTrack(connection, id: id, request))
        if case .erase = request { track.forget() }
    }

    // MARK: What must outlive the daemon

    /// - Returns: Whether it is what was learned.
    mutating func restore(_ record: [UInt8]) -> Bool {
        guard let restored = LocationFilter.decodeLearned(record.span) else { return false }
        filter = restored
        return true
    }

    /// The daemon ends: what waits to be kept is kept now.
    mutating func stopping(into outputs: inout Outputs) {
        writeTrack(into: &outputs)
        guard filter.counters.accepted > 0 else { return }
        outputs.put(.settings, "", "locationFilter", filter.encodeLearned())
    }
}
