/// Where an assembler's messages come from, which decides when an epoch is closed.
public enum EpochSource: Sendable {
    /// A serial line from a receiver: an epoch closes as early as it can, because clients wait for it.
    case line
    /// A recording: an epoch closes at NAV-EOE or at the next epoch's first message with a time, so that no message is
    /// too late.
    case recording
}
