public import Receivers

/// An event that the power policy takes.
public enum PowerEvent: Sendable, Equatable {
    /// What all clients together need has changed.
    case demanded(Demand)
    /// The motion interrupt's level.
    case motion(Bool)
    /// The receiver is awake and set up, and it searches.
    case ready
    /// The receiver is asleep: its silence or its own report confirmed it.
    case asleep(SleepKind)
    /// The receiver was told to sleep in this way and did not.
    case sleepRefused(SleepKind)
    /// The kinds of sleep that are still possible.
    case sleepKinds(Set<SleepKind>)
    /// An epoch with a position.
    case fix(PowerFix)
    /// An epoch without one; the strongest carrier-to-noise density in dB-Hz, where the receiver told of satellites.
    case noFix(strongestSignal: Double?)
    /// The receiver cannot be reached: it does not answer, or its line is gone.
    case unreachable
    case timePassed
}

/// An action that the power policy asks for.
public enum PowerAction: Sendable, Equatable {
    /// Wake the receiver; it searches from then on.
    case wake
    /// Put the receiver to sleep for this many nanoseconds; with nil, until it is woken.
    case sleep(SleepKind, forNanoseconds: Int64?)
    /// The fix just given is good enough to be delivered.
    case deliver
    /// A search found nothing in `afterSeconds`; the next one begins in `retryInSeconds`.
    case searchFailed(afterSeconds: Double, retryInSeconds: Double)
    /// What was learned has changed and is worth storing.
    case learned
}

/// The receiver's state as far as the policy knows it, for the ledger and the status.
public enum PowerPhase: Sendable, Equatable {
    case unreachable
    case asleep(SleepKind)
    case searching
    case tracking
    case cyclic
}
