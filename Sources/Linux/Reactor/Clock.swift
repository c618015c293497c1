import CSextantLinux
public import SextantUnits

/// The two clocks of the board; each has its own type of instant.
public enum Clock {
    /// The time since boot, suspend included (`CLOCK_BOOTTIME`).
    public static func now() -> MonotonicInstant {
        MonotonicInstant(nanoseconds: clinux_boot_time())
    }

    /// The time of the wall clock (`CLOCK_REALTIME`), which may be wrong on a board without a battery clock.
    public static func utc() -> UTCInstant {
        UTCInstant(nanoseconds: clinux_wall_time())
    }

    /// Whether the wall clock is synchronised: the kernel's NTP state is not "unsynchronised" (`adjtimex`).
    public static var utcIsSynchronized: Bool { clinux_wall_time_is_synchronised() }
}
