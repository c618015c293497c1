public import Units

/// A clock that stands still until a reactor is told to advance it: virtual time.
///
/// Its wall clock runs with it, can be set to anything, as a board's can, and is kept by somebody or not. A class,
/// because the reactor and who drives it share it.
public final class DrivenClock {
    /// The time since the board's emulated boot.
    public internal(set) var now: MonotonicInstant
    /// Nanoseconds from boot-time to wall-clock readings.
    private var wallOffset: Int64
    /// Whether the wall clock counts as kept.
    public var isSynchronized: Bool

    /// A clock that stands at an instant, with a wall clock that shows `utc`.
    public init(now: MonotonicInstant = .zero, utc: UTCInstant, isSynchronized: Bool) {
        self.now = now
        wallOffset = utc.nanoseconds &- now.nanoseconds
        self.isSynchronized = isSynchronized
    }

    /// What the wall clock shows; setting it steps that clock alone.
    public var utc: UTCInstant {
        get { UTCInstant(nanoseconds: now.nanoseconds &+ wallOffset) }
        set { wallOffset = newValue.nanoseconds &- now.nanoseconds }
    }
}

/// Where a reactor's time comes from.
public enum TimeSource {
    /// The kernel's clocks, and its timer to wake by.
    case board
    /// A clock that moves only in `Reactor.advance(to:)`.
    case driven(DrivenClock)
}
