internal import Fusion
internal import GNSS
internal import Monitors
internal import Units

/// The way from a receiver's solution to what follows from where the board is.
extension Engine {
    /// The solution as the estimator sees it; one that it refuses has no position.
    mutating func locate(_ fix: Fix, at instant: MonotonicInstant) -> (fix: Fix, location: FusedLocation?) {
        let measured = clock.instant(of: fix, readAt: instant)
        guard accepts(fix), let read = FilterFix(fix, receiver: 0) else { return (fix, nil) }
        guard let location = path.locate(read, at: measured) else {
            var refused = fix
            refused.withdrawPosition()
            refused.type = .noFix
            return (refused, nil)
        }
        lastFused = location
        return (fix.fused(location), location)
    }

    /// How often the estimator has begun anew because fixes agreed on another place.
    var jumpCount: UInt64 { path.filter.counters.reacquired }

    /// The learned error of the receiver's positions in the claimed one; nil before enough was learned.
    var errorInClaims: Double? { path.filter.errorInClaim(of: 0) }

    /// Has the monitors follow a location that clients may be told of.
    mutating func follow(_ location: FusedLocation, at instant: MonotonicInstant, into outputs: inout Outputs) {
        resumeVisits(into: &outputs)
        dateRegions(at: instant)
        path.follow(location)
        tellPathEvents(at: instant, into: &outputs)
        if path.regions.count > 0 { demandChanged() }
    }

    /// When time alone changes something for the monitors; while nobody is served nothing does.
    var pathDeadline: MonotonicInstant? { isSomebodyServed ? path.deadline : nil }

    /// Lets time pass for the monitors.
    mutating func settlePath(at instant: MonotonicInstant, into outputs: inout Outputs) {
        guard let deadline = pathDeadline, deadline <= instant else { return }
        path.advance(to: instant)
        tellPathEvents(at: instant, into: &outputs)
    }

    /// The daemon ends: what waits to be kept is kept now.
    mutating func stopping(into outputs: inout Outputs) {
        writeTrack(into: &outputs)
        if path.filter.counters.accepted > 0 {
            outputs.put(.settings, "", "locationFilter", path.filter.encodeLearned())
        }
    }

    private mutating func tellPathEvents(at instant: MonotonicInstant, into outputs: inout Outputs) {
        tellRegionEvents(at: instant, into: &outputs)
        tellVisitEvents(at: instant, into: &outputs)
    }
}
