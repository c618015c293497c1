/// The cause that switched the host on.
public enum WakeCause: String, Sendable, CaseIterable {
    /// The alarm that was set before the host went to sleep.
    case alarm
    /// The accelerometer felt motion.
    case motion
    /// The backstop: a second wake-up by a counter, for the case that the alarm fails.
    case backstop
    /// The supply came back, or a charger was plugged in.
    case power
    case button
    case unknown
}

/// The cause that woke the host, and whether the switch itself reported that cause.
public struct HostWake: Sendable, Equatable {
    public var cause: WakeCause
    /// Whether the switch told the cause; otherwise it was inferred from the time.
    public var isRead: Bool

    public init(_ cause: WakeCause, isRead: Bool) {
        self.cause = cause
        self.isRead = isRead
    }
}
