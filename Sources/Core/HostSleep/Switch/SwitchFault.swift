public import SextantUnits

/// A fault in what was read from a host switch, for which the host must not be switched off.
public enum SwitchFault: String, Sendable, CaseIterable {
    /// The switch's clock stopped since it was set.
    case clockStopped
    /// The switch's clock differs from the host's by more than 2 s.
    case clockApart
    /// No alarm stands in the chip, or it is not enabled.
    case noAlarm
    /// The alarm in the chip is not the one that was ordered.
    case otherAlarm
    /// The alarm is less than 60 s ahead, or in the past.
    case alarmTooNear
    /// The backstop, a second wake-up by a counter, is not as ordered.
    case otherBackstop
    /// Motion would not wake the host although it should, or would wake it although it should not.
    case otherMotion
}

extension SwitchOrder {
    /// The largest accepted difference between the switch's clock and the host's, in seconds.
    public static let clockTolerance = 2.0
    /// The alarm must be at least this many seconds ahead when the switch is read.
    public static let minimumAhead = 60.0

    /// The first fault in the settings read from the switch; nil if they are as ordered and its clock is right.
    ///
    /// - Parameter now: The host's wall clock when the switch was read.
    public func fault(in reading: SwitchReading, at now: UTCInstant) -> SwitchFault? {
        guard let clock = reading.clock else { return .clockStopped }
        let apart = Double(clock.nanoseconds(since: now)) / 1e9
        guard abs(apart) <= SwitchOrder.clockTolerance else { return .clockApart }
        guard let found = reading.alarm else { return .noAlarm }
        guard found == alarm else { return .otherAlarm }
        let ahead = Double(found.nanoseconds(since: clock)) / 1e9
        guard ahead >= SwitchOrder.minimumAhead else { return .alarmTooNear }
        guard reading.backstop == backstop else { return .otherBackstop }
        guard reading.byMotion == byMotion else { return .otherMotion }
        return nil
    }
}
