internal import SextantUnits

/// Tracks whether the accelerometer watches for motion, and so whether its silence means that the board rests.
///
/// Until the accelerometer watches, the board counts as moving, since a motion would go unsensed. The order to watch is
/// repeated after 2 s, then after twice as long each time, 60 s at most.
struct MotionWatch {
    private enum State {
        /// Another program sets the accelerometer up, or it is not used to sense motion.
        case unneeded
        /// The accelerometer was told to watch, and has not answered.
        case ordered
        case failed(since: MonotonicInstant, retry: MonotonicInstant)
        /// The accelerometer has watched since it was last told to, or last confirmed it.
        case watching(since: MonotonicInstant)
    }

    private var state = State.unneeded
    /// Failed orders since the accelerometer last watched.
    private var failures = 0

    private static let firstPause: Int64 = 2_000_000_000
    private static let longestPause: Int64 = 60_000_000_000
    /// Nanoseconds after which a wake-up for another reason is used to tell the accelerometer to watch again.
    ///
    /// A chip that has lost its power meanwhile says nothing, and the board would count as resting for ever.
    private static let renewal: Int64 = 600_000_000_000

    /// Whether a motion would go unsensed.
    var isBlind: Bool {
        switch state {
        case .unneeded, .watching: false
        case .ordered, .failed: true
        }
    }

    var isWatching: Bool {
        if case .watching = state { true } else { false }
    }

    /// When to tell the accelerometer again, with a wake-up if need be; nil where no time is planned for that.
    var retry: MonotonicInstant? {
        if case .failed(_, let retry) = state { retry } else { nil }
    }

    /// Notes that the accelerometer is told to watch; one that watches already counts as watching until it says
    /// otherwise.
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
