public import GNSS
public import Units

/// What a `PauseMonitor` is told.
public enum PauseEvent: Sendable {
    /// A solution, with a position or without.
    case fix(Fix)
    /// What the accelerometer says: movement, or quiet. A board without one never says anything.
    case motion(Bool)
    /// The receiver was switched on, or put to rest.
    case receiver(isOn: Bool)
    /// The client asks for its reports again.
    case asked
    case timePassed
}

/// Why reports pause.
public enum PauseReason: UInt8, Sendable {
    case still
    /// No usable position was found for a quarter of an hour.
    case noFix

    /// The word of the wire.
    public var name: StaticString {
        switch self {
        case .still: "still"
        case .noFix: "noFix"
        }
    }
}

/// Why reports go on.
public enum ResumeReason: UInt8, Sendable {
    case motion
    /// A position lies elsewhere, or says that the board moves.
    case displacement
    /// After a pause for want of one, a position.
    case fix
    case asked

    /// The word of the wire.
    public var name: StaticString {
        switch self {
        case .motion: "motion"
        case .displacement: "displacement"
        case .fix: "fix"
        case .asked: "asked"
        }
    }
}

/// What a `PauseMonitor` found.
public enum PauseOutcome: Sendable, Equatable {
    case didPause(PauseReason)
    case didResume(ResumeReason)
    /// Still paused, but a position is wanted until then, to see whether the board is elsewhere.
    case probeBegan(until: MonotonicInstant)
    /// The position is no longer wanted: it was where the board paused, or did not come.
    case probeEnded
}
