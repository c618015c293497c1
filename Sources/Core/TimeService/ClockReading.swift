public import SextantUnits

/// The host's two clocks, read together.
///
/// A reading converts an instant of one clock to the other. Both clocks run at the same rate except for the correction
/// that a time daemon applies, which is below 100 µs for each millisecond between the reading and the instant (chrony's
/// `maxslewrate`).
public struct ClockReading: Sendable, Equatable {
    /// The wall clock (`CLOCK_REALTIME`).
    public var wall: UTCInstant
    /// The clock since boot, suspend included (`CLOCK_BOOTTIME`).
    public var instant: MonotonicInstant
    /// Whether the kernel reports the wall clock as synchronised.
    public var isSynchronized: Bool
    /// The last pulse that the kernel timed; nil where no pulses are requested, or none has come yet.
    public var pulse: Pulse?

    public init(wall: UTCInstant, instant: MonotonicInstant, isSynchronized: Bool, pulse: Pulse? = nil) {
        self.wall = wall
        self.instant = instant
        self.isSynchronized = isSynchronized
        self.pulse = pulse
    }

    /// The time that the wall clock shows at an instant near that of the reading.
    func wall(at other: MonotonicInstant) -> UTCInstant {
        wall.advanced(byNanoseconds: other.nanoseconds(since: instant))
    }

    /// The instant, near that of the reading, at which the wall clock shows a given time.
    func instant(of time: UTCInstant) -> MonotonicInstant {
        instant.advanced(byNanoseconds: time.nanoseconds &- wall.nanoseconds)
    }

    /// Nanoseconds by which, since an earlier reading, the wall clock has advanced more than the boot-time clock.
    func shift(since earlier: ClockReading) -> Int64 {
        (wall.nanoseconds &- earlier.wall.nanoseconds) &- (instant.nanoseconds &- earlier.instant.nanoseconds)
    }
}
