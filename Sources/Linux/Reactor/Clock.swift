import CLinux
public import Units

/// The two clocks of the board, each with a type of its own.
public enum Clock {
    /// The time since boot, suspend included (`CLOCK_BOOTTIME`).
    public static func now() -> MonotonicInstant {
        MonotonicInstant(nanoseconds: clinux_boot_time())
    }

    /// What the wall clock shows (`CLOCK_REALTIME`); a board without a battery clock may show anything.
    public static func utc() -> UTCInstant {
        UTCInstant(nanoseconds: clinux_wall_time())
    }

    /// Whether somebody keeps the wall clock: the kernel's NTP state is not "unsynchronised" (`adjtimex`).
    public static var utcIsSynchronized: Bool { clinux_wall_time_is_synchronised() }
}
