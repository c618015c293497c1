public import SextantUnits

/// A report to the host-sleep policy by the parts of the program that reach the switch and the system.
public enum HostReport: Sendable, Equatable {
    /// The cause of this boot, and the switch's clock now; nil where that clock cannot be read or trusted.
    ///
    /// - Parameter fingerprint: A number that identifies the board, the kernel and the switch; tests of the switch with
    ///   another number do not count.
    case woke(HostWake, clock: UTCInstant?, fingerprint: UInt32)
    /// The switch still holds an alarm that it was ordered to clear.
    case notCleared
    /// The battery's charge in per cent; nil where no gauge answers.
    case battery(Double?)
    /// The answer to `inspect`.
    case inspected(HostInspection)
    /// The answer to `arm`: the settings read from the switch's chip, nil where the chip did not answer, and the wall
    /// clock's time at the reading.
    case armed(SwitchReading?, wall: UTCInstant)
    /// The answer to `powerOff`.
    case powerOffAnswered(isAccepted: Bool)
}

/// An event for the policy of host sleep.
public enum HostEvent: Sendable, Equatable {
    case report(HostReport)
    /// The needs of all clients together have changed.
    case needs(HostNeeds)
    /// Whether the board moves, according to its motion sensor; nil where no motion sensor is relied on.
    case motion(Bool?)
    /// Clients are served, this many seconds after the alarm by the switch's clock; nil where no alarm woke the host.
    case served(afterAlarm: Double?)
    /// The first location of this boot, and its distance from the last one before the sleep.
    case located(metres: Double)
    /// The seconds by which the switch's clock was ahead of the first fix's time at boot.
    case clockCompared(apart: Double)
    /// The owner keeps the host on until an instant; `nil` takes that back.
    case stayAwake(until: MonotonicInstant?)
    /// The owner tests the power switch: the host is to sleep for two minutes as soon as nobody is logged in.
    case tryOut
    /// The owner allows sleep again, which repeated failures had prevented.
    case allowed
    /// A client asks for this many seconds more before the host sleeps.
    case hold(seconds: Double)
    case timePassed
}

/// A step on the way to the host's sleep that the policy asks the daemon or its helper to take.
public enum HostOrder: Sendable, Equatable {
    /// Find out what keeps the system on, and answer with `inspected`; the switch's clock is set to `wall`, a
    /// receiver's time, or, if that is nil, to the host's.
    case inspect(wall: UTCInstant?)
    /// Clear old alarms in the switch, set the ordered alarm, read it back, and answer with `armed`.
    case arm(SwitchOrder)
    /// Undo what `arm` set.
    case disarm
    /// Have the system power off, but only while the switch's chip still holds the given settings, and answer with
    /// `powerOffAnswered`.
    case powerOff(SwitchOrder)
}

/// An action that the host-sleep policy asks for; actions are carried out in the order given.
public enum HostAction: Sendable, Equatable {
    /// Tell the clients that the host goes to sleep at `at`, and wakes at `until` at the latest.
    case tellSleep(at: MonotonicInstant, until: MonotonicInstant)
    /// Tell the clients that the host stays on after all.
    case tellStay
    /// Store all data that must survive the loss of power.
    case store
    /// Store the history of boots, which has changed.
    case keep
    case order(HostOrder)
}
