internal import Units

/// Whether the accelerometer watches for motion, when it is told to again, and what follows for whether the board moves.
///
/// Until the accelerometer watches, the board counts as moving, since a motion would go unsensed. The order to watch is
/// repeated after 2 s, then after twice as long each time, 60 s at most.
struct MotionWatch {
    private enum State {
        /// Another program sets the accelerometer up, or it is not used to sense motion.
        case unneeded
        /// The accelerometer was told to watch, and has not answered.
        case ordered
        case failed(since: MonotonicInstant, retry: MonotonicInstant?)
        /// Since it was last told to, or said so.
        case watching(since: MonotonicInstant)
    }

    private var state = State.unneeded
    /// Failures since it last watched.
    private var failures = 0
    /// Whether the line that says that the board moves does so without the accelerometer.
    private let isLineDriven: Bool
    /// What the line says; nil where it is not held.
    var line: Bool?

    /// - Parameter isLineDriven: Whether somebody else than the accelerometer moves the line: then a failure says nothing
    ///   of motion, and is left until an occasion.
    init(isLineDriven: Bool) { self.isLineDriven = isLineDriven }

    private static let firstPause: Int64 = 2_000_000_000
    private static let longestPause: Int64 = 60_000_000_000
    /// Nanoseconds after which a wake-up that comes anyway is taken to have it watch anew: a chip that has lost its power
    /// meanwhile says nothing, and the board would rest for ever.
    private static let renewal: Int64 = 600_000_000_000

    /// Whether the board moves; nil where no line says so.
    var moves: Bool? { line.map { $0 || isBlind } }

    private var isBlind: Bool {
        switch state {
        case .unneeded, .watching: false
        case .ordered, .failed: !isLineDriven
        }
    }

    var isWatching: Bool {
        if case .watching = state { true } else { false }
    }

    /// When to tell it again; nil for not by time alone.
    var retry: MonotonicInstant? {
        if case .failed(_, let retry) = state { retry } else { nil }
    }

    /// It is told to watch; one that watches is taken to do so until it says otherwise.
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
        state = .failed(
            since: instant, retry: isLineDriven ? nil : instant.advanced(byNanoseconds: pause))
    }

    /// Whether a wake-up that comes for something else is to be taken to tell it.
    func isDueOnOccasion(at instant: MonotonicInstant) -> Bool {
        switch state {
        case .unneeded, .ordered: false
        case .failed(let since, _), .watching(let since):
            instant.nanoseconds(since: since) >= MotionWatch.renewal
        }
    }
}
