public import Hardware
public import HostSwitches

/// The switch of the host's own supply, and how it is connected.
public struct BoardHostSwitch: Sendable, Hashable {
    public var model: HostSwitchModel
    /// The I2C bus; nil of a model that is on none.
    public var bus: String?
    /// The address that the board file gives; nil for the model's usual one.
    public var address: I2CAddress?
    /// Whether the accelerometer's interrupt leads to the switch, so that motion switches the host on.
    public var motionWake: Bool

    public init(model: HostSwitchModel, bus: String?, address: I2CAddress?, motionWake: Bool) {
        self.model = model
        self.bus = bus
        self.address = address
        self.motionWake = motionWake
    }

    /// The address at which the switch answers; nil of a model that is on no bus.
    public var usedAddress: I2CAddress? { model.isOnBus ? address ?? model.usualAddress : nil }
}

extension HostSwitchModel {
    /// The numbers of the header's lines that the switch has for itself.
    ///
    /// Source: UUGear, Witty-Pi-4, Software/wittypi/utilities.sh (HALT_PIN, SYSUP_PIN).
    public var ownLines: [Int] { self == .wittyPi4 ? [4, 17] : [] }

    /// Whether the switch takes what the header's UART (GPIO14) sends for a sign of the host's life.
    ///
    /// A byte sent to a receiver there after the pulse on GPIO17 ends the switch's watch, so that it never cuts.
    public var watchesUART: Bool { self == .wittyPi4 }
}

extension BoardLine {
    /// Whether this is a line of the header by its number, `GPIO17`, or by its place on the Raspberry Pi's own chip.
    public func isHeaderLine(_ number: Int) -> Bool {
        name == "GPIO\(number)" || name.hasPrefix("pinctrl-") && name.hasSuffix(":\(number)")
    }
}
