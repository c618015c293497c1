/// What a controller tells of its receiver.
public enum ReceiverReport: Equatable, Sendable {
    /// It has said who it is, or was found to say nothing: `ReceiverController.identity`.
    case identified
    /// It is awake, configured and aided.
    case ready
    /// It rests, as far as can be told.
    case asleep(SleepKind)
    /// It was told to sleep, twice, and goes on talking; it is awake.
    case sleepRefused(SleepKind)
    /// It talked while it should have slept; it is put back to sleep.
    case woke(byItself: Bool)
    /// It answers at no rate; it is asked again after growing waits.
    case unresponsive
    /// It answers again.
    case recovered
    /// It refused, or did not answer, this message; the others are in force.
    case configurationRefused(String)
    /// Its navigation database is kept: by the host in this many messages, or, with 0, in its own flash.
    case databaseSaved(messages: Int)
    case databaseLost(DatabaseLoss)
    /// The database was given back in this many messages, or, with 0, restored from its own flash.
    case databaseRestored(messages: Int)
    /// This way to rest has failed too often and is no longer in `sleepKinds`.
    case sleepUnavailable(SleepKind)
}

/// Why a receiver's navigation database was not kept, or cannot be used.
public enum DatabaseLoss: Equatable, Sendable {
    /// The receiver sent `expected` messages and `received` came whole.
    case incomplete(expected: Int, received: Int)
    /// It grew past what is kept.
    case tooLarge
    /// The receiver fell silent in the middle.
    case silence
    /// The port went away in the middle.
    case portLost
    /// The receiver was wanted awake in the middle.
    case interrupted
    /// The receiver refused to keep it in its flash.
    case refused
    /// It is another receiver's, or another firmware's.
    case foreign
}
