/// The owner's settings of host sleep; the configuration's `hostSleep`.
public struct HostSleepSettings: Sendable, Equatable {
    public enum AfterPowerOff: String, Sendable, CaseIterable {
        /// A power-off that nobody asked Sextant for is final: the alarm is taken back.
        case stayOff
        /// The alarm stays.
        case wake
    }

    public var isAllowed = false
    /// The shortest sleep, below which one wears the card for nothing; seconds.
    public var floor = 600.0
    /// The longest sleep; seconds.
    public var longest = 21_600.0
    /// Seconds awake after somebody switched the board on by hand.
    public var maintenance = 900.0
    /// Whether the host stays on while nobody asks for anything.
    public var onlyWhenAsked = false
    /// Whether it sleeps also while the switch has external power.
    public var sleepsOnExternalPower = false
    /// Per cent of the battery from which on the board wakes once a day for its location's sake.
    public var lowPercent = 20.0
    /// Per cent of the battery from which on nobody's need keeps the host on.
    public var criticalPercent = 5.0
    /// Whether a switch may be used that has an alarm alone.
    public var withoutBackstop = false
    public var afterPowerOff = AfterPowerOff.stayOff

    public init() {}
}
