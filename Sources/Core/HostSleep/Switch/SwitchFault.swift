public import SextantUnits

/// Why the host may not be switched off by what was read from its switch.
public enum SwitchFault: String, Sendable, CaseIterable {
    /// The switch's clock stopped since it was set.
    case clockStopped
    /// The switch's clock is more than 2 s from the host's.
    case clockApart
    /// No alarm stands in the chip, or it is not enabled.
    case noAlarm
    /// Another alarm stands there than was ordered.
    case otherAlarm
    /// The alarm is less than 60 s ahead, or behind.
    case alarmTooNear
    /// The second way back is not as ordered.
    case otherBackstop
    /// Motion would not wake the host, or would although it shall not.
    case otherMotion
}

extension SwitchOrder {
    /// The seconds by which the switch's clock may differ from the host's.
    public static let clockTolerance = 2.0
    /// The fewest seconds by which the alarm must be ahead when the switch is read.
    public static let leastAhead = 60.0

    /// Why what was read is not what was ordered; nil where all of it is as ordered, and the host will be woken.
    ///
    /// - Parameter now: The host's wall clock when the switch was read.
    public func fault(in reading: SwitchReading, at now: UTCInstant) -> SwitchFault? {
        guard let clock = reading.clock else { return .clockStopped }
        let apart = Double(clock.nanoseconds(since: now)) / 1e9
        guard abs(apart) <= SwitchOrder.clockTolerance else { return .clockApart }
        guard let found = reading.alarm else { return .noAlarm }
        guard found == alarm else { return .otherAlarm }
        let ahead = Double(found.nanoseconds(since: clock)) / 1e9
        guard ahead >= SwitchOrder.leastAhead else { return .alarmTooNear }
        guard reading.backstop == backstop else { return .otherBackstop }
        guard reading.byMotion == byMotion else { return .otherMotion }
        return nil
    }
}
