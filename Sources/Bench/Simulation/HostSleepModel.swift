public import HostSleep

/// A simulated host that can be switched off: when it is allowed to sleep, and the energy of stopping, being off and
/// booting.
public struct HostSleepModel: Sendable {
    public var configuration: HostSleepConfiguration
    public var costs: HostCosts
    /// The switch's draw from the battery while the host is off, in milliwatts.
    public var offMilliwatts: Double
    /// Seconds from the halt of the system to the cut of its supply.
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
