public import Hardware
public import HostSwitches

/// The switch that cuts and restores the host's own supply, and how it is connected.
public struct BoardHostSwitch: Sendable, Hashable {
    public var model: HostSwitchModel
    /// The I2C bus of the switch; nil for a model that is on no such bus.
    public var bus: String?
    /// The switch's I2C address, if the board file gives one; nil for the usual address of the model.
    public var address: I2CAddress?
    /// Whether the accelerometer's interrupt leads to the switch, so that motion switches the host on.
    public var motionWake: Bool

    public init(model: HostSwitchModel, bus: String?, address: I2CAddress?, motionWake: Bool) {
        self.model = model
        self.bus = bus
        self.address = address
        self.motionWake = motionWake
    }

    /// The I2C address at which the switch answers; nil for a model that is on no such bus.
    public var usedAddress: I2CAddress? { model.isOnBus ? address ?? model.usualAddress : nil }
}

extension HostSwitchModel {
    /// The numbers of the GPIO lines on the 40-pin header that the switch itself uses.
    ///
    /// Source: UUGear, Witty-Pi-4, Software/wittypi/utilities.sh (HALT_PIN, SYSUP_PIN).
    public var ownLines: [Int] { self == .wittyPi4 ? [4, 17] : [] }

    /// Whether the switch watches the host's UART output on the header (GPIO14) to see whether the host still runs.
    ///
    /// Such a switch must not share the UART with a GNSS receiver: if the host sends the receiver a byte after the
    /// pulse on GPIO17, the switch stops watching and never cuts the supply.
    public var watchesUART: Bool { self == .wittyPi4 }
}

extension BoardLine {
    /// Whether this is the GPIO line with the given number on the 40-pin header; its name is `GPIO17`, for example, or
    /// its offset on the Raspberry Pi's own GPIO chip.
    public func isHeaderLine(_ number: Int) -> Bool {
        name == "GPIO\(number)" || name.hasPrefix("pinctrl-") && name.hasSuffix(":\(number)")
    }
}
