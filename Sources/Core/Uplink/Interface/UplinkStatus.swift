public import SextantUnits

/// The uplink's status, as `sextant uplink`, `status.json`, the page and the metrics show it.
public struct UplinkStatus: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// The daemon has not yet reported this client's authorization.
        case starting
        /// This client is not allowed locations; `lastError` says why.
        case denied
        /// TLS needs the time, which is not known yet.
        case waitingForTime
        /// Waits for the next attempt, or for the next periodic connection.
        case waiting
        case connecting
        case connected
    }

    public var state = State.starting
    /// The numbers of waiting fixes and events, and the bytes of all waiting records.
    public var fixes = 0
    public var events = 0
    public var bytes = 0
    /// The time of the record that has waited longest, if it is known.
    public var oldest: UTCInstant?
    /// The highest record number so far; 0 before the first record.
    public var newest: Int64 = 0
    /// When a record was last delivered, or a connection made.
    public var lastSuccess: UTCInstant?
    /// Why the last attempt failed, in words; nil after a success.
    public var lastError: String?
    /// The numbers of fixes dropped for want of room, of fixes dropped for age, and of events dropped for want of room.
    public var thinned = 0
    public var expired = 0
    public var eventsLost = 0
    /// The number of messages that repeated records, after a missing acknowledgement or the broker's loss of them.
    public var repeated = 0
    /// The numbers of commands that were obeyed and that were refused.
    public var obeyed = 0
    public var refused = 0
    /// When the next attempt to connect is made.
    public var nextAttempt: MonotonicInstant?

    public init() {}
}
