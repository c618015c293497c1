/// A fault of the receiver's pulses, which the log reports in one line.
public enum PulseTrouble: Sendable, Equatable {
    /// No pulse came for a minute in which the receiver told valid times.
    case missing
    /// A pulse came so many nanoseconds later than a whole number of seconds after the one before; negative for earlier.
    case irregular(nanoseconds: Int64)
    /// The pulses have moved by so many nanoseconds against the receiver's messages since they were believed.
    case moved(nanoseconds: Int64)
    /// The pulses begin so many nanoseconds later than the seconds of a clock that is synchronised.
    case offClock(nanoseconds: Int64)
    /// Within 60 epochs the messages' first bytes came between so many nanoseconds after their pulses.
    case unevenDelay(earliest: Int64, latest: Int64)
    /// The messages come so many nanoseconds after their pulses, which few receivers take: the pulses may be late, and no
    /// other clock can tell. They give samples all the same.
    case lateMessages(nanoseconds: Int64)
}
