/// An event about the receiver that the controller reports to its caller.
public enum ReceiverReport: Equatable, Sendable {
    /// The receiver's identity is known, or the receiver answers no query: see `ReceiverController.identity`.
    case identified
    /// The receiver is awake, configured and has its assistance.
    case ready
    /// The receiver sleeps, as far as the host can tell.
    case asleep(SleepKind)
    /// The receiver was told to sleep and did not; it is awake.
    case sleepRefused(SleepKind)
    /// The receiver woke while it should have slept; it is put back to sleep, but only a limited number of times.
    case woke(byItself: Bool)
    /// The receiver answers at no rate; it is queried again after growing waits.
    case unresponsive
    /// A receiver that was unresponsive answers again.
    case recovered
    /// The receiver refused this configuration message or did not answer it; the other messages are in force.
    case configurationRefused(String)
    /// The navigation database was saved: by the host in this many messages, or, with 0, in the receiver's flash.
    case databaseSaved(messages: Int)
    case databaseLost(DatabaseLoss)
    /// The database was given back in this many messages, or, with 0, restored from the receiver's flash.
    case databaseRestored(messages: Int)
    /// This kind of sleep failed too often, or the receiver or board lacks it.
    case sleepUnavailable(SleepKind)
}
