/// The power and energy figures of a board from which the cost of a sleep is calculated.
public struct HostSleepCosts: Sendable, Equatable {
    public var host: HostCosts
    /// The switch's draw while the host is off, at the board's 5 V; milliwatts.
    public var offMilliwatts: Double
    /// Whether the figures in `host` were measured on the board; the switch's draw, `offMilliwatts`, never was.
    public var areMeasured: Bool

    public init(_ host: HostCosts, offMilliwatts: Double, areMeasured: Bool) {
        self.host = host
        self.offMilliwatts = offMilliwatts
        self.areMeasured = areMeasured
    }
}
