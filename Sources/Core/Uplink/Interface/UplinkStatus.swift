public import SextantUnits

/// The uplink's status for people: `sextant uplink`, `status.json`, the page and metrics.
public struct UplinkStatus: Sendable, Equatable {
    public enum State: String, Sendable, CaseIterable {
        /// Before the daemon said whether this client may have locations.
        case starting
        /// This client may not have locations; `lastError` says why.
        case denied
        /// TLS needs the time, which nobody knows yet.
        case waitingForTime
        /// Between attempts, or between bursts.
        case waiting
        case connecting
        case connected
    }

    public var state = State.starting
    /// Records that wait.
    public var fixes = 0
    public var events = 0
    public var bytes = 0
    /// The time of the record that waits longest, where it is known.
    public var oldest: UTCInstant?
    /// The highest number given so far; 0 before the first.
    public var newest: Int64 = 0
    /// When a record was last delivered, or a connection made.
    public var lastSuccess: UTCInstant?
    /// Why the last attempt failed, in words; nil after one that did not.
    public var lastError: String?
    /// Fixes that were given up for want of room, of age, and events for want of room.
    public var thinned = 0
    public var expired = 0
    public var eventsLost = 0
    /// Messages of records that were sent before, and not acknowledged then, or forgotten by the broker.
    public var repeated = 0
    /// Commands that were obeyed and refused.
    public var obeyed = 0
    public var refused = 0
    /// When the next attempt is made.
    public var nextAttempt: MonotonicInstant?

    public init() {}
}
