public import SextantUnits

/// The host's two clocks, read together.
///
/// By it an instant of the one clock becomes one of the other; both run at the same rate but for the correction that a
/// time daemon applies, which is below 100 µs for each millisecond of distance (chrony's `maxslewrate`).
public struct ClockReading: Sendable, Equatable {
    /// The wall clock (`CLOCK_REALTIME`).
    public var wall: UTCInstant
    /// The clock since boot, suspend included (`CLOCK_BOOTTIME`).
    public var instant: MonotonicInstant
    /// Whether the kernel calls the wall clock synchronised.
    public var isSynchronized: Bool

    public init(wall: UTCInstant, instant: MonotonicInstant, isSynchronized: Bool) {
        self.wall = wall
        self.instant = instant
        self.isSynchronized = isSynchronized
    }

    /// What the wall clock showed at an instant near the reading.
    func wall(at other: MonotonicInstant) -> UTCInstant {
        wall.advanced(byNanoseconds: other.nanoseconds(since: instant))
    }

    /// Nanoseconds by which the wall clock moved against the clock since boot since an earlier reading.
    func shift(since earlier: ClockReading) -> Int64 {
        (wall.nanoseconds &- earlier.wall.nanoseconds) &- (instant.nanoseconds &- earlier.instant.nanoseconds)
    }
}
