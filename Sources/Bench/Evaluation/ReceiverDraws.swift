public import Receivers

/// What the receiver is doing, as far as its energy goes.
public enum ReceiverState: String, Sendable, CaseIterable {
    case off
    case sleep
    /// Searching: supplied, and no fix yet.
    case acquire
    case track
}

/// What a receiver draws in each state; milliwatts.
public struct ReceiverDraws: Sendable, Hashable {
    public var acquire: Double
    public var track: Double
    public var sleep: Double
    public var off: Double

    public init(acquire: Double, track: Double, sleep: Double, off: Double) {
        self.acquire = acquire
        self.track = track
        self.sleep = sleep
        self.off = off
    }

    /// A receiver of the catalogue that rests in one way.
    public init(_ draw: PowerDraw, resting kind: SleepKind) {
        self.init(acquire: draw.acquiring, track: draw.tracking, sleep: draw.resting(kind), off: 0)
    }

    public subscript(state: ReceiverState) -> Double {
        switch state {
        case .off: off
        case .sleep: sleep
        case .acquire: acquire
        case .track: track
        }
    }
}
