/// The owner's settings of host sleep, from `hostSleep` in the configuration.
public struct HostSleepSettings: Sendable, Equatable {
    public enum AfterPowerOff: String, Sendable, CaseIterable {
        /// After a power-off that was not requested through Sextant, the board stays off: its alarm is cleared.
        case stayOff
        /// After a power-off that was not requested through Sextant, the alarm stays set, and wakes the board.
        case wake
    }

    public var isAllowed = false
    /// The shortest sleep in seconds; a shorter one wears the SD card for nothing.
    public var floor = 600.0
    /// The longest sleep that is allowed, in seconds.
    public var longest = 21_600.0
    /// Seconds for which the host stays on after a person switched the board on by hand.
    public var maintenance = 900.0
    /// Whether the host stays on while no client has a request.
    public var onlyWhenAsked = false
    /// Whether the host also sleeps while the switch has external power.
    public var sleepsOnExternalPower = false
    /// The battery's charge in per cent at or below which the host checks its location only once a day, unless a client
    /// needs it earlier.
    public var lowPercent = 20.0
    /// The battery's charge in per cent at or below which no client's need keeps the host on.
    public var criticalPercent = 5.0
    /// Whether the host is allowed to sleep with a switch that can wake the host only by an alarm.
    public var withoutBackstop = false
    public var afterPowerOff = AfterPowerOff.stayOff

    public init() {}
}
