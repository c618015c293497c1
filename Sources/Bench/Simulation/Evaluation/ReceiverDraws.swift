public import Receivers

/// The GNSS receiver's states, each with its own power draw.
public enum DrawState: String, Sendable, CaseIterable {
    case off
    case sleep
    /// Searching: the receiver is supplied and has no fix yet.
    case acquire
    case track
}

/// A receiver's power draw in each state, in milliwatts.
public struct ReceiverDraws: Sendable, Hashable {
    public var acquire: Double
    public var track: Double
    public var sleep: Double
    public var off: Double
    /// The mean draw in cyclic tracking with one fix per second, in milliwatts; nil if the receiver has no cyclic
    /// tracking.
    public var cyclic: Double?

    public init(acquire: Double, track: Double, sleep: Double, off: Double, cyclic: Double?) {
        self.acquire = acquire
        self.track = track
        self.cyclic = cyclic
        self.sleep = sleep
        self.off = off
    }

    /// The power draws of a receiver model from the catalogue; `resting` is the kind of sleep in which the receiver
    /// rests.
    public init(_ draw: PowerDraw, resting kind: SleepKind) {
        self.init(
            acquire: draw.acquiring, track: draw.tracking, sleep: draw.resting(kind), off: 0,
            cyclic: draw.cyclic)
    }

    /// The part of each second, 0 to 1, for which a receiver in cyclic tracking must track so that its mean draw is
    /// `cyclic`.
    ///
    /// The receiver sleeps for the rest of the second. The part is 1 if the receiver has no cyclic tracking.
    public var cyclicShare: Double {
        guard let cyclic, sleep < track else { return 1 }
        return min(max((cyclic - sleep) / (track - sleep), 0), 1)
    }

    public subscript(state: DrawState) -> Double {
        switch state {
        case .off: off
        case .sleep: sleep
        case .acquire: acquire
        case .track: track
        }
    }
}
