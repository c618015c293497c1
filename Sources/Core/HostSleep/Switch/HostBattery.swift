/// The state of a host switch's battery; a value that the switch does not measure is nil.
public struct HostBattery: Sendable, Equatable {
    /// The charge in per cent, 0 to 100.
    public var percent: Int?
    /// The battery's voltage in millivolts, or that of the supply where the switch has no battery of its own.
    public var millivolts: Int?
    public var isCharging: Bool?
    /// Whether the board is supplied from outside.
    public var hasExternalPower: Bool?
    /// The battery's (or supply's) voltage in millivolts below which the switch itself cuts the board's supply.
    public var cutMillivolts: Int?

    public init(
        percent: Int? = nil, millivolts: Int? = nil, isCharging: Bool? = nil, hasExternalPower: Bool? = nil,
        cutMillivolts: Int? = nil
    ) {
        self.percent = percent
        self.millivolts = millivolts
        self.isCharging = isCharging
        self.hasExternalPower = hasExternalPower
        self.cutMillivolts = cutMillivolts
    }
}

/// The battery's charge or voltage at which a host switch wakes the host early after the battery was low.
public struct HostRecovery: Sendable, Equatable {
    /// The charge in per cent, 0 to 100, for switches that measure charge.
    public var percent: Int
    /// The voltage in millivolts, for switches that measure voltage.
    public var millivolts: Int

    public init(percent: Int, millivolts: Int) {
        self.percent = percent
        self.millivolts = millivolts
    }
}
