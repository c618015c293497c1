internal import Parts
internal import SextantUnits

/// The state of the motion sensor's interrupt line.
public enum MotionLine: Sendable, Equatable {
    /// Whether the interrupt line became active since it was last read, and whether it is active now.
    case shows(hasRisen: Bool, isActive: Bool)
    /// The interrupt line is no longer open, so its changes are not seen any more.
    case lost
}

/// Decides whether the board moves.
///
/// `MotionHold` reads motion from the interrupt line, and `MotionWatch` decides whether a quiet line means that the
/// board is at rest.
struct Motion: ~Copyable {
    /// Whether the daemon sets the accelerometer to watch for motion.
    private let isNeeded: Bool
    private var watch = MotionWatch()
    private var hold = MotionHold()
    /// Whether the interrupt line, or a test harness in its place, says that the board moves; nil until either has said
    /// so.
    private var line: Bool?
    /// Whether a test harness reports motion, so that a failure of the accelerometer does not count.
    private var isTold = false

    init(_ configuration: EngineConfiguration) { isNeeded = configuration.watchesMotion }

    /// The next instant at which the accelerometer must be told again to watch for motion; nil where it need not be
    /// told.
    var deadline: MonotonicInstant? { isTold ? nil : watch.retry }

    /// Whether the board could move without the sensor noticing.
    var isBlind: Bool { watch.isBlind && !isTold }

    /// Whether the board moves; nil where no interrupt line is open.
    private var moves: Bool? { line.map { $0 || isBlind } }

    /// Sets the accelerometer to watch for motion when the daemon starts.
    mutating func begin(_ turn: inout Turn) {
        if isNeeded { order(&turn) }
    }

    private mutating func order(_ turn: inout Turn) {
        watch.ordered(at: turn.instant)
        turn.actions.append(.watchMotion)
    }

    /// Takes a test harness's report of motion.
    mutating func heard(moves: Bool) {
        line = moves
        isTold = true
    }

    /// Takes the state of the interrupt line, and orders the next reading of it.
    ///
    /// - Returns: Whether the board moves, where that has changed; nil where it has not.
    mutating func sensed(_ seen: MotionLine, _ turn: inout Turn) -> Bool? {
        let before = moves
        switch seen {
        case .shows(let hasRisen, let isActive):
            let outcome = hold.sensed(hasRisen: hasRisen, isActive: isActive, at: turn.instant)
            line = hold.isMoving
            turn.actions.append(.lookAtLine(at: outcome.nextLook))
            if outcome.watchesAnew, isNeeded { order(&turn) }
        // Motion can no longer be sensed, so the board counts as moving.
        case .lost: line = true
        }
        return moves == before ? nil : moves
    }

    /// Takes the accelerometer's answer to the order to watch for motion.
    ///
    /// - Parameter problem: Why the accelerometer does not watch; nil where it does.
    /// - Returns: Whether the board moves, where that has changed; nil where it has not.
    mutating func heard(problem: String?, at instant: MonotonicInstant) -> Bool? {
        guard isNeeded else { return nil }
        let before = moves
        if problem == nil { watch.succeeded(at: instant) } else { watch.failed(at: instant) }
        return moves == before ? nil : moves
    }

    /// Orders the accelerometer to watch again after a failure of the compass, which perhaps stopped it too.
    mutating func compassFailed(_ turn: inout Turn) {
        if watch.isWatching { order(&turn) }
    }

    /// Orders the accelerometer to watch again when that is due.
    mutating func settle(_ turn: inout Turn) {
        let isDue = deadline.map { $0 <= turn.instant } ?? false
        if isDue || watch.isDueOnOccasion(at: turn.instant) { order(&turn) }
    }
}
