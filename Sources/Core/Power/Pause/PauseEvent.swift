public import GNSS
public import SextantUnits

/// An event that a `PauseMonitor` takes.
public enum PauseEvent: Sendable {
    /// The receiver's solution for one epoch, with a position or without.
    case fix(Fix)
    /// The accelerometer reports movement (true) or quiet (false).
    case motion(Bool)
    /// The receiver was switched on, or put to sleep.
    case receiver(isOn: Bool)
    /// The client asks that its paused reports go on.
    case asked
    case timePassed
}

/// Why reports pause.
public enum PauseReason: Sendable {
    case still
    /// No usable position was found for a quarter of an hour.
    case noFix
}

/// Why reports go on.
public enum ResumeReason: Sendable {
    case motion
    /// A position lies away from the place of the pause, or the speed shows that the board moves.
    case displacement
    /// A position was found after a pause that began because there was none.
    case fix
    case asked
}

/// A change that a `PauseMonitor` reports.
public enum PauseOutcome: Sendable, Equatable {
    case didPause(PauseReason)
    case didResume(ResumeReason)
    /// Reports stay paused, but a position is needed by this instant, to show whether the board has left its place.
    case probeBegan(until: MonotonicInstant)
    /// No position is needed any more: one showed that the board is still at the place of the pause, or the search for
    /// one was given up.
    case probeEnded
}
