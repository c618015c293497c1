public import GNSS
public import SextantUnits

/// Relates the receiver's time to the board's monotonic clock, by the receiver's most recent navigation epoch.
public struct ReceiverClock {
    /// The time that the last epoch states, and (`closedAt`) the instant at which the epoch was complete.
    public let time: UTCInstant?
    public let closedAt: MonotonicInstant?

    public init(time: UTCInstant?, closedAt: MonotonicInstant?) {
        self.time = time
        self.closedAt = closedAt
    }

    /// The age of a fix in seconds by the receiver's own clock, which goes on through restarts of the daemon and the
    /// board.
    public func age(of fix: Fix, at instant: MonotonicInstant) -> Double? {
        guard let measured = fix.time, let time, let closedAt else { return nil }
        return (Double(time.nanoseconds(since: measured)) + Double(instant.nanoseconds(since: closedAt))) * 1e-9
    }
}
