internal import SextantUnits

/// Switches a receiver on at fixed intervals and off at its next fix, as a program without a motion sensor does.
struct IntervalSchedule {
    private let interval: Int64
    private(set) var isOn = false
    /// The instant at which the receiver must be switched on next.
    private var next: MonotonicInstant

    /// - Parameter seconds: The interval from one start of the receiver to the next, in seconds; more than 0.
    init(seconds: Double, start: MonotonicInstant) {
        interval = max(Int64((seconds * 1e9).rounded()), 1)
        next = start
    }

    var nextInstant: MonotonicInstant? { isOn ? nil : next }

    /// - Returns: Whether the receiver must be switched on now.
    mutating func timePassed(to instant: MonotonicInstant) -> Bool {
        guard !isOn, next <= instant else { return false }
        isOn = true
        return true
    }

    /// Tells the schedule that a fix has come.
    ///
    /// - Returns: Whether the receiver must be switched off now.
    mutating func fixed(at instant: MonotonicInstant) -> Bool {
        guard isOn else { return false }
        isOn = false
        // If a search for a fix lasts longer than the interval, the starts that were due during the search are skipped.
        let missed = instant.nanoseconds(since: next) / interval
        next = next.advanced(byNanoseconds: (missed + 1) * interval)
        return true
    }
}
