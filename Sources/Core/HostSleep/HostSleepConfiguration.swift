/// The configuration of host sleep: the owner's settings, and what the board file says of the host's power switch.
public struct HostSleepConfiguration: Sendable, Equatable {
    public var settings: HostSleepSettings
    /// The abilities of the board's switch; nil where the board has none.
    public var traits: HostSwitchTraits?
    /// Whether the switch is wired so that it can wake the host by motion.
    public var hasMotionWake: Bool
    /// The shortest sleep in seconds that costs less than staying on; nil where no sleep does.
    public var breakEven: Double?
    /// The figures from which the energy of a sleep is calculated; nil where the board has no switch.
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
