internal import Glibc
internal import SextantUnits

/// The host's clock, whether it is right or not.
enum HostClock {
    static func now() -> UTCInstant {
        var time = timespec()
        // Safety: the clock is one that every Linux has, and the structure lives for the call.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return UTCInstant(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }
}
