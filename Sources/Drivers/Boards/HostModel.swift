/// The power that the host draws, without that of the GNSS receiver.
public struct HostPower: Sendable, Equatable {
    /// The draw in milliwatts at the board's 5 V input while the host is idle.
    public var idleMilliwatts: Double
    /// The energy in millijoules that one wake-up of the idle processor costs beyond the idle draw.
    public var wakeMillijoules: Double

    public init(idleMilliwatts: Double, wakeMillijoules: Double) {
        self.idleMilliwatts = idleMilliwatts
        self.wakeMillijoules = wakeMillijoules
    }
}

/// Hosts whose power draw is known well enough to simulate.
///
/// Idle draws: the Zero 2 W's were measured by CNX Software (2021-12-09: 120 mA at 5 V with Raspberry Pi OS Lite, 75 mA
/// with HDMI, LEDs and the like switched off); those of the others are commonly reported round figures that this
/// project has not checked. The Compute Module's figure excludes its carrier board.
public enum HostModel: String, Sendable, CaseIterable {
    case zero2W = "zero-2w"
    case zero2WTrimmed = "zero-2w-trimmed"
    case threeAPlus = "3a+"
    case threeBPlus = "3b+"
    case fourB = "4b"
    case five = "5"
    case computeModule4 = "cm4"

    public var power: HostPower {
        let idle: Double =
            switch self {
            case .zero2W: 600
            case .zero2WTrimmed: 375
            case .threeAPlus: 1100
            case .threeBPlus: 1900
            case .fourB: 2700
            case .five: 3000
            case .computeModule4: 2000
            }
        return HostPower(idleMilliwatts: idle, wakeMillijoules: HostModel.assumedWakeMillijoules)
    }

    /// The share of the time for which the Bluetooth radio of these models listens while beacons are ranged.
    ///
    /// Wi-Fi uses that radio as well, and becomes slower at 2.4 GHz. The share is an estimate, not tried on hardware.
    public static let rangingDuty = 0.5

    /// The energy in millijoules of one wake-up, assumed and not measured: one core busy for 1 ms at 600 mW above idle.
    public static let assumedWakeMillijoules = 0.6
}
