public import SextantUnits

/// What all clients together need of the host: to stay on, or to be awake again at some instant.
public struct HostNeeds: Sendable, Equatable {
    /// The clients' needs for which the host must stay on.
    public var holders = StayAwakeReasons()
    /// Whether any client has a request.
    public var isAsked = false
    /// When the receiver must be on next; nil where no location is due at a known time.
    public var locate: MonotonicInstant?
    /// When a client must be notified of something that needs no new fix: a dwell, a visit, a deferral's end.
    public var tell: MonotonicInstant?
    /// Whether the board could move now without its motion sensor noticing, so that motion would not wake the host.
    public var isBlind = false

    public init() {}
}
