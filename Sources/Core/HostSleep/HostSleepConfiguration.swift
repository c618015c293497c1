/// The configuration of the policy of host sleep: the owner's settings, and the switch by the board's file.
public struct HostSleepConfiguration: Sendable, Equatable {
    public var settings: HostSleepSettings
    /// The abilities of the board's switch; nil where the board has none.
    public var traits: HostSwitchTraits?
    /// Whether the switch wakes the host by motion, as wired.
    public var hasMotionWake: Bool
    /// The seconds from which on a sleep costs less than staying on; nil where it never does.
    public var breakEven: Double?
    /// The energy of a sleep; nil where the board has no switch.
    public var costs: HostSleepCosts?

    public init(
        _ settings: HostSleepSettings, traits: HostSwitchTraits?, hasMotionWake: Bool, breakEven: Double?
    ) {
        self.settings = settings
        self.traits = traits
        self.hasMotionWake = hasMotionWake
        self.breakEven = breakEven
    }
}
