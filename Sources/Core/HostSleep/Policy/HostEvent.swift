public import SextantUnits

/// A report from outside to the policy of host sleep.
public enum HostReport: Sendable, Equatable {
    /// How this boot came, and the switch's clock now; nil where that cannot be read, or is not to be trusted.
    ///
    /// - Parameter fingerprint: A number that is another one on another board, kernel or switch, so that trials are not
    ///   counted for what was not tried.
    case woke(HostWake, clock: UTCInstant?, fingerprint: UInt32)
    /// The switch keeps an alarm that it was told to forget.
    case notCleared
    /// The battery's charge in per cent; nil where no gauge answers.
    case battery(Double?)
    /// The answer to `inspect`.
    case inspected(HostInspection)
    /// The answer to `arm`: what was read from the chip, with the wall clock at that time; nil where it did not answer.
    case armed(SwitchReading?, wall: UTCInstant)
    /// The answer to `powerOff`.
    case powerOffAnswered(isAccepted: Bool)
}

/// An event for the policy of host sleep.
public enum HostEvent: Sendable, Equatable {
    case report(HostReport)
    /// The needs of all clients together have changed.
    case needs(HostNeeds)
    /// Whether the board moves, by its motion sensor; nil where none is relied on.
    case motion(Bool?)
    /// Clients are served, so many seconds after the alarm by the switch's clock; nil where no alarm woke the host.
    case served(afterAlarm: Double?)
    /// The first location of this boot, so many metres from the last one before the sleep.
    case located(metres: Double)
    /// The switch's clock at boot was so many seconds ahead of the first fix's time.
    case clockCompared(apart: Double)
    /// The owner keeps the host on until an instant; `nil` takes that back.
    case stayAwake(until: MonotonicInstant?)
    /// The owner tries the switch out, and lets the host sleep for two minutes as soon as nobody is logged in.
    case tryOut
    /// The owner allows it again after a guard shut.
    case allowed
    /// A client asks for this many seconds more before the host sleeps.
    case hold(seconds: Double)
    case timePassed
}

/// A step on the way to the host's sleep that the daemon or its helper takes outside the Engine.
public enum HostOrder: Sendable, Equatable {
    /// Find out what keeps the system on, and answer with `inspected`; `wall` is the time where a receiver told it,
    /// which the switch's clock is set to.
    case inspect(wall: UTCInstant?)
    /// Clear old alarms, set this one, read it back, and answer with `armed`.
    case arm(SwitchOrder)
    /// Take back what was set.
    case disarm
    /// Have the system power off, with this order in the chip, and answer with `powerOffAnswered`.
    case powerOff(SwitchOrder)
}

/// An action that the policy of host sleep asks for; they are to be done in the order given.
public enum HostAction: Sendable, Equatable {
    /// Tell the clients that the host sleeps at the first instant, until the second at the latest.
    case tellSleep(at: MonotonicInstant, until: MonotonicInstant)
    /// Tell the clients that it stays on after all.
    case tellStay
    /// Store all that a power cut must not take.
    case store
    /// The history has changed and is to be stored.
    case keep
    case order(HostOrder)
}
