internal import Glibc

/// The CPU time that this process has used, in seconds; other work of the machine does not count.
enum ProcessorClock {
    static var seconds: Double {
        var time = timespec()
        // Safety: the clock exists on every Linux, and the call writes only `time`.
        _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}
