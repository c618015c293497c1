public import SextantUnits

/// The uplink's status, as the command `sextant uplink`, `status.json`, the web page and the metrics show it.
public struct UplinkStatus: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// The daemon has not yet reported this client's authorization.
        case starting
        /// This client is not allowed to receive locations; `lastError` says why.
        case denied
        /// The connection waits for the time of day, which TLS needs and the board does not know yet.
        case waitingForTime
        /// Not connected: waits for the next attempt to connect, or for the next periodic connection.
        case waiting
        case connecting
        case connected
    }

    public var state = State.starting
    /// The number of waiting fixes, the number of waiting events, and the total size of both in bytes.
    public var fixes = 0
    public var events = 0
    public var bytes = 0
    /// The time of the oldest waiting record, if it is known.
    public var oldest: UTCInstant?
    /// The highest record number so far; 0 before the first record.
    public var newest: Int64 = 0
    /// When the broker last accepted a connection or acknowledged a message, whichever was later.
    public var lastSuccess: UTCInstant?
    /// Why the last attempt to connect failed, in words; nil after a success.
    public var lastError: String?
    /// The numbers of fixes dropped for lack of room (`thinned`), of fixes dropped for their age (`expired`), and of
    /// events dropped for lack of room (`eventsLost`), since the program started.
    public var thinned = 0
    public var expired = 0
    public var eventsLost = 0
    /// The number of messages since the program started whose records had been sent before; they were sent again
    /// because an acknowledgement was missing or the broker had lost the records.
    public var repeated = 0
    /// The number of commands that were obeyed, and the number refused, since the program started.
    public var obeyed = 0
    public var refused = 0
    /// When the next attempt to connect is made.
    public var nextAttempt: MonotonicInstant?

    public init() {}
}
