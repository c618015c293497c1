public import GNSS
public import SextantUnits

/// The receiver's report of the time in one epoch, and the instants at which its bytes came.
public struct TimeReport: Sendable, Equatable {
    /// The time of the solution.
    public var utc: UTCInstant?
    /// Whether the receiver marks date and time as valid.
    public var isValid = false
    /// Whether the receiver says that the whole seconds are certain (UBX `fullyResolved`); nil where it sends no such
    /// flag.
    public var isResolved: Bool?
    /// The error of its time that the receiver claims, in seconds, without a stated percentile; nil where it claims
    /// none.
    public var accuracy: Double?
    /// Whether the solution has a position.
    public var hasFix = false
    /// The receiver's report about leap seconds; nil where it sent none.
    public var leap: LeapKnowledge?
    /// When the epoch's first byte was read.
    public var firstByte = MonotonicInstant.zero

    public init() {}

    /// The UTC time of the epoch, and what the wall clock showed when its first byte was read; nil without a valid time.
    ///
    /// - Parameter now: The clocks, read soon after the epoch's first byte.
    public func clock(by now: ClockReading) -> (real: UTCInstant, clock: UTCInstant)? {
        guard isValid, let utc else { return nil }
        return (utc, now.wall(at: firstByte))
    }
}
