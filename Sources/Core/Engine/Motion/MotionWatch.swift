internal import SextantUnits

/// Tracks whether the accelerometer watches for motion, so that its silence means that the board is at rest.
///
/// Until the accelerometer watches, the board counts as moving, because a motion would not be noticed. The order to
/// watch is repeated after 2 s, then after twice as long each time, 60 s at most.
struct MotionWatch {
    private enum State {
        /// Another program sets the accelerometer up, or it is not used to sense motion.
        case unneeded
        /// The accelerometer was told to watch, and has not answered.
        case ordered
        case failed(since: MonotonicInstant, retry: MonotonicInstant)
        /// The accelerometer watches; `since` is when it last received or confirmed the order to watch.
        case watching(since: MonotonicInstant)
    }

    private var state = State.unneeded
    /// The number of failed orders to watch since the accelerometer last watched.
    private var failures = 0

    private static let firstPause: Int64 = 2_000_000_000
    private static let longestPause: Int64 = 60_000_000_000
    /// After this many nanoseconds, the accelerometer is told to watch again when the daemon wakes for another reason.
    ///
    /// Otherwise a chip that loses its power while it watches would stay silent, and the board would seem at rest for
    /// ever.
    private static let renewal: Int64 = 600_000_000_000

    /// Whether the board could move without the sensor noticing.
    var isBlind: Bool {
        switch state {
        case .unneeded, .watching: false
        case .ordered, .failed: true
        }
    }

    var isWatching: Bool {
        if case .watching = state { true } else { false }
    }

    /// When the daemon must wake to tell the accelerometer to watch again; nil where it need not wake for that.
    var retry: MonotonicInstant? {
        if case .failed(_, let retry) = state { retry } else { nil }
    }

    /// Notes that the accelerometer is told to watch; if it watches already, it counts as watching until it reports a
    /// failure.
    mutating func ordered(at instant: MonotonicInstant) {
        state = isWatching ? .watching(since: instant) : .ordered
    }

    mutating func succeeded(at instant: MonotonicInstant) {
        failures = 0
        state = .watching(since: instant)
    }

    mutating func failed(at instant: MonotonicInstant) {
        let pause = min(MotionWatch.firstPause << Int64(min(failures, 20)), MotionWatch.longestPause)
        failures += 1
        state = .failed(since: instant, retry: instant.advanced(byNanoseconds: pause))
    }

    /// Whether the daemon, which is awake for another reason, should tell the accelerometer to watch again.
    func isDueOnOccasion(at instant: MonotonicInstant) -> Bool {
        switch state {
        case .unneeded, .ordered: false
        case .failed(let since, _), .watching(let since):
            instant.nanoseconds(since: since) >= MotionWatch.renewal
        }
    }
}
