/// What the policy of host sleep is made with: the owner's word, and what the board's file says of the switch.
public struct HostSleepConfiguration: Sendable, Equatable {
    public var settings: HostSleepSettings
    /// Nil where the board has no switch.
    public var traits: HostSwitchTraits?
    /// Whether the switch wakes the host by motion, as wired.
    public var hasMotionWake: Bool
    /// The seconds from which on a sleep costs less than staying on; nil where it never does.
    public var breakEven: Double?
    /// What a sleep costs; nil where the board has no switch.
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
