public import HostSleep

/// The sleep of a simulated host that can be switched off: when it is allowed to sleep, and the power and time of
/// stopping, being off and booting.
public struct HostSleepModel: Sendable {
    public var configuration: HostSleepConfiguration
    public var costs: HostCosts
    /// The power that the host switch draws from the battery while the host is off, in milliwatts.
    public var offMilliwatts: Double
    /// Seconds from the halt of the operating system until the host switch cuts the supply.
    public var cutSeconds: Double

    public init(
        _ configuration: HostSleepConfiguration, costs: HostCosts, offMilliwatts: Double, cutSeconds: Double
    ) {
        self.configuration = configuration
        self.costs = costs
        self.offMilliwatts = offMilliwatts
        self.cutSeconds = cutSeconds
        self.configuration.costs = HostSleepCosts(
            costs, offMilliwatts: offMilliwatts * HostCosts.converterEfficiency, areMeasured: false)
    }
}
