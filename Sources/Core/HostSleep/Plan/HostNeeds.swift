public import SextantUnits

/// The needs of all clients together for the host.
public struct HostNeeds: Sendable, Equatable {
    /// The needs for which it must stay on.
    public var holders = StayAwakeReasons()
    /// Whether any client asks for anything.
    public var isAsked = false
    /// When the receiver must be on next; nil where no location is needed by itself.
    public var locate: MonotonicInstant?
    /// When a client is to be told something that needs no new fix: a dwell, a visit, a deferral's end.
    public var tell: MonotonicInstant?
    /// Whether the board's own sensor does not tell of motion now, so that motion would not wake the host.
    public var isBlind = false

    public init() {}
}
