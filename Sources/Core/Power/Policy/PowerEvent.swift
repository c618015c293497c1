public import Receivers

/// What the power policy is told.
public enum PowerEvent: Sendable, Equatable {
    /// What all clients together need has changed.
    case demanded(Demand)
    /// The motion interrupt's level.
    case motion(Bool)
    /// The receiver is awake, set up, and searches.
    case ready
    /// The receiver is asleep: its silence or its word confirmed it.
    case asleep(SleepKind)
    /// It was told to sleep in this way and did not.
    case sleepRefused(SleepKind)
    /// The ways to sleep that are left.
    case sleepKinds(Set<SleepKind>)
    /// An epoch with a position.
    case fix(PowerFix)
    /// An epoch without one; the strongest carrier-to-noise density in dB-Hz, where the receiver told of satellites.
    case noFix(strongestSignal: Double?)
    /// It cannot be talked to: no answer, or its line is gone.
    case unreachable
    case timePassed
}

/// What the power policy wants done.
public enum PowerAction: Sendable, Equatable {
    /// Wake the receiver; it searches from then on.
    case wake
    /// Put it to sleep: for so many nanoseconds, or until it is woken.
    case sleep(SleepKind, forNanoseconds: Int64?)
    /// The fix just given is good enough to be delivered.
    case deliver
    /// A search found nothing in so many seconds; the next begins in so many.
    case searchFailed(afterSeconds: Double, retryInSeconds: Double)
    /// What was learned has changed and is worth keeping.
    case learned
}

/// What the receiver does as far as the policy knows: for the ledger and the status.
public enum PowerPhase: Sendable, Equatable {
    case unreachable
    case asleep(SleepKind)
    case searching
    case tracking
    case cyclic
}
