public import SextantUnits

/// Whether the board is within reach of a region's beacons.
///
/// Two advertisements within 10 s count as an entry, and 30 s in which the radio listens but receives none count as an
/// exit; time in which the radio does not listen does not count. What is found first, after monitoring began or the
/// radio was off, is no entry or exit. A board at the edge of radio range would enter and leave again and again: an
/// entry within 300 s of an exit doubles the 30 s, to 120 s at most, until the board has been inside for 30 min. These
/// limits are our own.
public struct BeaconPresence: Sendable, Hashable {
    public enum State: Sendable, Hashable {
        case unknown, outside, inside
    }

    public enum Event: Sendable, Hashable {
        /// It is known for the first time whether the board is inside, which counts as no entry or exit.
        case determined(isInside: Bool)
        /// The board entered; an entry takes two advertisements, and the instant is that of the first.
        case entered(MonotonicInstant)
        /// The board left, at the instant of the last advertisement; nil if that was before the daemon's start.
        case exited(MonotonicInstant?)
    }

    public private(set) var state: State
    /// Nanoseconds of listening, without receiving the region's beacons, after which the board counts as outside.
    public private(set) var patience = BeaconPresence.usualPatience
    /// The instant of a first advertisement, which becomes an entry only with a second one.
    private var first: MonotonicInstant?
    private var lastHeard: MonotonicInstant?
    /// The radio's total listening time, in nanoseconds, when silence began: at the last advertisement, the start of
    /// monitoring or the end of a time without the radio, whichever was last.
    private var silentSince: Int64
    /// When the present stay began: the instant of the first of the two advertisements that made the entry; nil where
    /// the stay began before a restart.
    public private(set) var enteredAt: MonotonicInstant?
    private var exitedAt: MonotonicInstant?

    public static let usualPatience: Int64 = 30_000_000_000
    static let greatestPatience: Int64 = 120_000_000_000
    /// A second advertisement within this many nanoseconds of the first makes an entry.
    static let pair: Int64 = 10_000_000_000
    /// For this many nanoseconds after a first advertisement, the radio listens all the time for another one.
    static let burst: Int64 = 3_000_000_000
    /// An entry within `returning` nanoseconds of an exit doubles the length of silence that counts as an exit; a stay
    /// of `settled` nanoseconds sets this length back to its usual value.
    static let returning: Int64 = 300_000_000_000
    static let settled: Int64 = 1_800_000_000_000

    /// - Parameters:
    ///   - state: Whether the board was inside, as an earlier run of the daemon stored it; unknown for a new region.
    ///   - patience: Nanoseconds of listening, without receiving the beacons, that count as an exit, as an earlier run
    ///     stored them; the usual number for a new region.
    ///   - listened: The nanoseconds for which the radio has listened since the daemon's start.
    public init(_ state: State = .unknown, patience: Int64 = BeaconPresence.usualPatience, listened: Int64) {
        self.state = state
        self.patience = min(max(patience, BeaconPresence.usualPatience), BeaconPresence.greatestPatience)
        silentSince = listened
    }

    /// Handles an advertisement of one of the region's beacons.
    public mutating func heard(at instant: MonotonicInstant, listened: Int64) -> Event? {
        defer {
            silentSince = listened
            lastHeard = instant
        }
        if state == .inside {
            settle(at: instant)
            return nil
        }
        guard let begun = first, awaitsPair(at: instant) else {
            first = instant
            return nil
        }
        first = nil
        enteredAt = begun
        let wasUnknown = state == .unknown
        state = .inside
        if wasUnknown { return .determined(isInside: true) }
        if let exitedAt, begun.nanoseconds(since: exitedAt) <= BeaconPresence.returning {
            patience = min(BeaconPresence.greatestPatience, 2 * patience)
        }
        return .entered(begun)
    }

    private mutating func settle(at instant: MonotonicInstant) {
        guard let enteredAt, instant.nanoseconds(since: enteredAt) >= BeaconPresence.settled else { return }
        patience = BeaconPresence.usualPatience
    }

    /// Updates the radio's total listening time; returns an exit, or the first finding that the board is outside, if
    /// the beacons have been silent for long enough.
    public mutating func listened(_ listened: Int64, at instant: MonotonicInstant) -> Event? {
        guard state != .outside, silence(listened) >= patience else { return nil }
        let wasUnknown = state == .unknown
        state = .outside
        first = nil
        if wasUnknown { return .determined(isInside: false) }
        exitedAt = instant
        return .exited(lastHeard)
    }

    /// Nanoseconds that the radio has listened since the last advertisement; if none came yet, since monitoring began.
    public func silence(_ listened: Int64) -> Int64 { max(0, listened - silentSince) }

    /// Forgets whether the board is inside, because the radio was off for longer than 30 s.
    public mutating func forget(listened: Int64) {
        state = .unknown
        first = nil
        silentSince = listened
    }

    /// Whether one advertisement came within the last 10 s, so that a second one now would make an entry.
    func awaitsPair(at instant: MonotonicInstant) -> Bool {
        first.map { instant.nanoseconds(since: $0) <= BeaconPresence.pair } ?? false
    }

    /// The radio's total listening time, in nanoseconds, from which the radio must listen all the time, because the
    /// beacons are silent; meaningless while the board is not inside.
    var doubtDue: Int64 { silentSince + BeaconScanPolicy.doubt }

    /// The radio's total listening time, in nanoseconds, at which the board counts as outside if no advertisement comes
    /// before; meaningless while the board is outside.
    var changeDue: Int64 { silentSince + patience }

    /// The instant until which the radio listens all the time for a second advertisement, which would make an entry;
    /// nil where it does not.
    var burstEnd: MonotonicInstant? {
        state == .inside ? nil : first?.advanced(byNanoseconds: BeaconPresence.burst)
    }

    /// Whether the radio is to listen all the time for a second advertisement, which would make an entry.
    public func awaitsSecond(at instant: MonotonicInstant) -> Bool {
        guard state != .inside, let first else { return false }
        return instant.nanoseconds(since: first) < BeaconPresence.burst
    }
}
