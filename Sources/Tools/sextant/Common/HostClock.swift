internal import Glibc
internal import SextantUnits

/// The host's clock, which can be wrong.
enum HostClock {
    static func now() -> UTCInstant {
        var time = timespec()
        // Safety: every Linux has this clock, and the structure lives for the call.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
