internal import SextantUnits

/// The sleep that a receiver is about to enter, or in which it is.
struct Rest: Sendable {
    var kind = SleepKind.software
    /// The index of the first sleep method that has not been given up.
    var methodIndex = 0
    /// The number of failures in a row of the present sleep method.
    var failures = 0
    /// Whether the sleep command was given a second time.
    var isSecondAttempt = false
    /// Whether the receiver was woken only to be sent its next sleep command.
    var isRenewal = false
    /// The instant at which the receiver's own timer ends its sleep (a nap); nil where the receiver has no timer.
    var napEnd: MonotonicInstant?
    /// Whether the receiver's own timer ends its sleep before the sleep that the host wants is over.
    var isNapShort = false
    /// The instant until which bytes sent before the sleep may still arrive.
    var quietFrom = MonotonicInstant.zero
    /// The instant from which any byte shows that the receiver did not fall asleep.
    var confirmationLimit = MonotonicInstant.zero
    /// The number of times that the receiver woke by itself during this sleep.
    var wakes = 0
}
