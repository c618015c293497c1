public import SextantUnits

/// A virtual clock: it stands still until its reactor is told to advance it.
///
/// It has a wall clock too, which advances with it, can be set to any time like a board's, and can count as
/// synchronised or not. A class, because the reactor and the code that advances the clock share it.
public final class DrivenClock {
    /// The time since the board's emulated boot.
    public internal(set) var now: MonotonicInstant
    /// The difference in nanoseconds of the wall clock's time minus the time since boot.
    private var wallOffset: Int64
    /// Whether the wall clock counts as synchronised.
    public var isSynchronized: Bool

    /// Makes a clock that stands at an instant, with a wall clock that shows `utc`.
    public init(now: MonotonicInstant = .zero, utc: UTCInstant, isSynchronized: Bool) {
        self.now = now
        wallOffset = utc.nanoseconds &- now.nanoseconds
        self.isSynchronized = isSynchronized
    }

    /// The time of the wall clock; setting it does not change the boot-time clock.
    public var utc: UTCInstant {
        get { UTCInstant(nanoseconds: now.nanoseconds &+ wallOffset) }
        set { wallOffset = newValue.nanoseconds &- now.nanoseconds }
    }
}

/// The source of a reactor's time.
public enum TimeSource {
    /// The kernel's clocks; a kernel timer wakes the reactor.
    case board
    /// A virtual clock that moves only in `Reactor.advance(to:)`.
    case driven(DrivenClock)
}
