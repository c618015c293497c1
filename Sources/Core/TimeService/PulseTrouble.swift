/// A fault of the receiver's pulses, which the log reports in one line.
public enum PulseTrouble: Sendable, Equatable {
    /// No pulse came in 60 successive epochs with a valid time.
    case missing
    /// A pulse came this many nanoseconds later than a whole number of seconds after the previous pulse; negative for
    /// earlier.
    case irregular(nanoseconds: Int64)
    /// The pulses have moved by this many nanoseconds against the receiver's messages, compared with the 60 epochs
    /// before.
    case moved(nanoseconds: Int64)
    /// The pulses come this many nanoseconds after the seconds of the synchronised wall clock begin.
    case offClock(nanoseconds: Int64)
    /// Within 60 epochs, the delay of the messages after their pulses varied from `earliest` to `latest` nanoseconds.
    case unevenDelay(earliest: Int64, latest: Int64)
    /// The messages come this many nanoseconds after their pulses, which is unusually long.
    ///
    /// The pulses can be wrong, and no other clock can confirm them; they still give samples.
    case lateMessages(nanoseconds: Int64)
}
