public import Receivers

/// An event for the power policy; fixes and the reports of the receiver's controller are passed separately.
public enum PowerEvent: Sendable, Equatable {
    /// The joint need of all clients has changed.
    case demanded(Demand)
    /// The motion sensor reports movement (true) or quiet (false).
    case motion(Bool)
    /// The kinds of sleep that are possible from now on have changed.
    case sleepKinds(Set<SleepKind>)
    /// An epoch without a position; the strongest carrier-to-noise density in dB-Hz, nil where none was reported.
    case noFix(strongestSignal: Double?)
    /// The receiver's port is gone.
    case portLost
    case timePassed
}

/// An action that the power policy asks for.
public enum PowerAction: Sendable, Equatable {
    /// Wake the receiver; it searches from then on.
    case wake
    /// Put the receiver to sleep for this many nanoseconds; with nil, until it is woken.
    case sleep(SleepKind, forNanoseconds: Int64?)
    /// A search found nothing in `afterSeconds`; the next one begins in `retryInSeconds`.
    case searchFailed(afterSeconds: Double, retryInSeconds: Double)
    /// Store the learned statistics; asked for after the first start, then at most once per hour.
    case learned
}

/// The receiver's state as far as the policy knows it, for the energy ledger and the status.
public enum PowerPhase: Sendable, Equatable {
    case unreachable
    case asleep(SleepKind)
    case searching
    case tracking
    case cyclic
}
