internal import Parts
internal import SextantUnits

/// The state of the motion sensor's interrupt line.
public enum MotionLine: Sendable, Equatable {
    /// Whether the line rose since it was last looked at, and its level now; true is active, whatever voltage that is.
    case shows(hasRisen: Bool, isActive: Bool)
    /// The line is no longer held, and nothing more comes from it.
    case lost
}

/// Decides whether the board moves.
///
/// `MotionHold` says what the line shows, and `MotionWatch` whether its silence means anything.
struct Motion: ~Copyable {
    /// Whether Sextant has the accelerometer watch for motion.
    private let isNeeded: Bool
    private var watch = MotionWatch()
    private var hold = MotionHold()
    /// Whether the line, or a harness in its place, says that the board moves; nil until either has.
    private var line: Bool?
    /// Whether a harness says it, so that a failure of the accelerometer says nothing of motion.
    private var isTold = false

    init(_ configuration: EngineConfiguration) { isNeeded = configuration.watchesMotion }

    /// The next instant at which time alone changes something.
    var deadline: MonotonicInstant? { isTold ? nil : watch.retry }

    /// Whether a motion would go unsensed.
    var isBlind: Bool { watch.isBlind && !isTold }

    /// Whether the board moves; nil where no line is held.
    private var moves: Bool? { line.map { $0 || isBlind } }

    /// Has the accelerometer watch when the daemon starts.
    mutating func begin(_ turn: inout Turn) {
        if isNeeded { order(&turn) }
    }

    private mutating func order(_ turn: inout Turn) {
        watch.ordered(at: turn.instant)
        turn.actions.append(.watchMotion)
    }

    /// Takes what a harness says.
    mutating func heard(moves: Bool) {
        line = moves
        isTold = true
    }

    /// Takes what the line shows, and says when it is to be looked at next.
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
        // A motion that can no longer be sensed may be happening, so the board counts as moving.
        case .lost: line = true
        }
        return moves == before ? nil : moves
    }

    /// Takes the accelerometer's answer to the order to watch.
    ///
    /// - Parameter problem: Why it does not watch; nil where it does.
    /// - Returns: Whether the board moves, where that has changed; nil where it has not.
    mutating func heard(problem: String?, at instant: MonotonicInstant) -> Bool? {
        guard isNeeded else { return nil }
        let before = moves
        if problem == nil { watch.succeeded(at: instant) } else { watch.failed(at: instant) }
        return moves == before ? nil : moves
    }

    /// Orders the accelerometer to watch again after a failure of the compass, which may have stopped it too.
    mutating func compassFailed(_ turn: inout Turn) {
        if watch.isWatching { order(&turn) }
    }

    /// Orders the accelerometer to watch again when that is due.
    mutating func settle(_ turn: inout Turn) {
        let isDue = deadline.map { $0 <= turn.instant } ?? false
        if isDue || watch.isDueOnOccasion(at: turn.instant) { order(&turn) }
    }
}
