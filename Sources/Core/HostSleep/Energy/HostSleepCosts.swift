/// The energy of a sleep on a board, and whether it was measured.
public struct HostSleepCosts: Sendable, Equatable {
    public var host: HostCosts
    /// The switch's draw while the host is off, at the board's 5 V; milliwatts.
    public var offMilliwatts: Double
    /// Whether the host's figures were measured on the board; the switch's never were.
    public var areMeasured: Bool

    public init(_ host: HostCosts, offMilliwatts: Double, areMeasured: Bool) {
        self.host = host
        self.offMilliwatts = offMilliwatts
        self.areMeasured = areMeasured
    }
}
