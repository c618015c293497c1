internal import ClientProtocol
internal import Fusion
internal import GNSS
internal import Monitors
internal import Parts
internal import SextantUnits

/// The board's location: the receiver's fixes, fused with the accelerometer's and the compass's findings.
struct Positioning: ~Copyable {
    private var filter = LocationFilter()
    /// Relates the receiver's time to the board's clock.
    private var clock = FixClock()
    private var reduced = ReducedAccuracy()
    private var track = TrackKeeper()
    /// The last location that was good enough to be delivered, and when it came.
    private var last: (fix: Fix, since: MonotonicInstant)?
    /// The fused location from all fixes so far.
    private var lastFused: FusedLocation?
    /// The stored location of an earlier run of the daemon, until a clock that is right gives its age; nil after that,
    /// or where none was stored.
    private var kept: KeptLocation?
    /// When the oldest location that still waits to be stored came; nil where every location is stored.
    private var unkeptSince: MonotonicInstant?

    /// The most nanoseconds that a new location waits to be stored, because each write wears the SD card.
    private static let keepingInterval: Int64 = 300_000_000_000

    /// The board's location, for other parts of the Engine to read.
    var whereabouts: Whereabouts { Whereabouts(clock: clock, reduced: reduced, last: last, fused: lastFused) }

    /// Passes a fix to the location filter, which fuses it with earlier fixes; a fix that the filter rejects loses its
    /// position.
    mutating func locate(_ fix: Fix, from source: FixSource, at instant: MonotonicInstant) -> LocatedFix {
        let measured = source == .receiver ? clock.instant(of: fix, readAt: instant) : instant
        guard DeliveryFilter.isValid(fix), let read = FilterFix(fix, receiver: source.rawValue) else {
            return LocatedFix(fix: fix, location: nil, doubt: doubt)
        }
        guard let location = filter.update(read, at: measured) else {
            var refused = fix
            refused.withdrawPosition()
            refused.type = .noFix
            return LocatedFix(fix: refused, location: nil, doubt: doubt)
        }
        lastFused = location
        return LocatedFix(fix: fix.fused(location), location: location, doubt: doubt)
    }

    /// Takes a fix that is good enough to be delivered to some client.
    ///
    /// - Returns: The new estimate for clients with reduced accuracy; nil where none is due.
    mutating func found(_ fix: Fix, at instant: MonotonicInstant) -> ReducedAccuracy.Estimate? {
        last = (fix, instant)
        return reduced.found(fix, at: instant)
    }

    /// Makes the estimate for clients with reduced accuracy that is due at this instant.
    ///
    /// - Returns: The new estimate for clients with reduced accuracy; nil where none is due.
    mutating func advance(to instant: MonotonicInstant) -> ReducedAccuracy.Estimate? { reduced.advance(to: instant) }

    private var doubt: PositionDoubt {
        PositionDoubt(jumps: filter.counters.reacquired, excess: filter.errorInClaim(of: FixSource.receiver.rawValue))
    }

    /// The next instant at which an estimate with reduced accuracy or the storing of the last location is due; nil for
    /// none.
    ///
    /// - Parameter hearsEstimates: Whether any client gets the reduced-accuracy estimates.
    func deadline(hearsEstimates: Bool) -> MonotonicInstant? {
        .earlier(hearsEstimates ? reduced.deadline : nil, keepingDeadline)
    }

    mutating func sensed(motion: Bool, at instant: MonotonicInstant) { filter.sensed(motion: motion, at: instant) }

    /// Takes a heading: degrees from true north, and its accuracy in degrees (68 % of the errors are smaller).
    mutating func sensed(heading degreesTrue: Double, accuracy: Double, at instant: MonotonicInstant) {
        filter.sensed(heading: degreesTrue, accuracy: accuracy, at: instant)
    }

    // MARK: The track

    /// Adds a fix to the stored track; called only for fixes that a client asked for.
    mutating func keepTrack(of fix: Fix, _ turn: inout Turn) {
        track.found(fix, at: turn.instant)
        if track.isDue(at: turn.instant) { writeTrack(&turn) }
        if unkeptSince == nil { unkeptSince = turn.instant }
        keep(&turn)
    }

    /// Notes that the host has slept, so that the board's path meanwhile is not known.
    mutating func slept() { track.slept() }

    /// Writes the collected points of the track to the store.
    private mutating func writeTrack(_ turn: inout Turn) {
        let places = track.take()
        if !places.isEmpty { turn.actions.append(.keepTrack(places)) }
    }

    /// Passes on to the store an operator's request for the track (the stored past positions).
    mutating func serve(_ request: TrackRequest, id: String?, to connection: ClientID, _ turn: inout Turn) {
        writeTrack(&turn)
        turn.actions.append(.serveTrack(connection, id: id, request))
        guard case .erase = request else { return }
        track.forget()
        (kept, unkeptSince) = (nil, nil)
        turn.remove(.settings, "", Positioning.keptName)
    }

    // MARK: The last location, over a restart

    private static let keptName = "lastLocation"
    private static let filterName = "locationFilter"

    /// When the last location must be stored; nil where it is stored already.
    private var keepingDeadline: MonotonicInstant? { unkeptSince?.advanced(byNanoseconds: Positioning.keepingInterval) }

    /// Stores the last location, where that is due.
    mutating func keep(_ turn: inout Turn) {
        if let deadline = keepingDeadline, deadline <= turn.instant { write(&turn) }
    }

    /// Stores the last location and the collected points of the track at once, because the next fix may come much
    /// later.
    ///
    /// - Parameter mayStore: Whether location services are on; a location that waits to be stored when location
    ///   services are switched off is not stored.
    mutating func keepNow(mayStore: Bool, _ turn: inout Turn) {
        if mayStore {
            writeTrack(&turn)
            write(&turn)
        }
        unkeptSince = nil
    }

    private mutating func write(_ turn: inout Turn) {
        guard unkeptSince != nil, let fix = last?.fix else { return }
        unkeptSince = nil
        let told = reduced.told.flatMap { estimate, due in clock.utc(due).map { (fix: estimate.fix, nextDue: $0) } }
        guard let kept = KeptLocation(fix, reduced: told) else { return }
        turn.put(.settings, "", Positioning.keptName, kept.encode())
    }

    /// Takes the time from a clock that is right, which gives the location of an earlier run its age.
    ///
    /// A location with a time later than now is dropped, because one of the two clocks was wrong.
    ///
    /// - Returns: The estimate of an earlier run, for the clients with reduced accuracy that have waited for a first
    ///   one; nil where there is none that is recent enough to be sent.
    mutating func learned(utc now: UTCInstant, at instant: MonotonicInstant) -> ReducedAccuracy.Estimate? {
        guard let kept = kept.take(), let time = kept.fix.time, time <= now else { return nil }
        func local(_ time: UTCInstant) -> MonotonicInstant {
            instant.advanced(byNanoseconds: time.nanoseconds &- now.nanoseconds)
        }
        if last == nil { last = (kept.fix, local(time)) }
        guard let (fix, due) = kept.reduced, let time = fix.time, time <= now, reduced.told == nil else { return nil }
        reduced.restore(ReducedAccuracy.Estimate(fix: fix, measured: local(time)), nextDue: local(due))
        return reduced.current(at: instant)
    }

    // MARK: Stored rows

    /// The result of reading back a stored setting.
    enum Restoration {
        case filter
        case last(Fix)
        case unreadable
        /// The setting belongs to another part of the Engine.
        case notMine
    }

    /// Takes what an earlier run stored: what its location filter learned, and its last location.
    ///
    /// No client is sent this location before `learned(utc:at:)` gives its age.
    mutating func restore(_ row: DurableRow) -> Restoration {
        switch row.name {
        case Positioning.filterName:
            guard let restored = LocationFilter.decode(row.value.span) else { return .unreadable }
            filter = restored
            return .filter
        case Positioning.keptName:
            kept = KeptLocation.decode(row.value.span)
            return kept.map { .last($0.fix) } ?? .unreadable
        default: return .notMine
        }
    }

    /// Stores the collected points of the track, the last location and what the location filter learned, because the
    /// daemon is about to end.
    mutating func stopping(_ turn: inout Turn) {
        writeTrack(&turn)
        write(&turn)
        guard filter.counters.accepted > 0 else { return }
        turn.put(.settings, "", Positioning.filterName, filter.encode())
    }
}

/// The sources of fixes; the location filter learns the errors of each separately.
enum FixSource: UInt8 {
    case receiver = 0
    case spots = 1
}

/// A fix that has passed through the location filter.
struct LocatedFix {
    /// The fix, with its position replaced by the fused location; without a position where the filter rejected the fix.
    let fix: Fix
    /// The fused location; nil where the fix had no position that could be fused.
    let location: FusedLocation?
    /// Why the receiver's positions may be wrong, as far as the filter found out.
    let doubt: PositionDoubt
}
