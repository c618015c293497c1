public import Hardware
public import HostSwitches

/// The switch of the host's own supply, and how it is connected.
public struct BoardHostSwitch: Sendable, Hashable {
    public var model: HostSwitchModel
    /// The I2C bus; nil for a model that is on no bus.
    public var bus: String?
    /// The address that the board file gives; nil for the usual address of the model.
    public var address: I2CAddress?
    /// Whether the accelerometer's interrupt leads to the switch, so that motion switches the host on.
    public var motionWake: Bool

    public init(model: HostSwitchModel, bus: String?, address: I2CAddress?, motionWake: Bool) {
        self.model = model
        self.bus = bus
        self.address = address
        self.motionWake = motionWake
    }

    /// The address at which the switch answers; nil for a model that is on no bus.
    public var usedAddress: I2CAddress? { model.isOnBus ? address ?? model.usualAddress : nil }
}

extension HostSwitchModel {
    /// The numbers of the header's GPIO lines that the switch itself uses.
    ///
    /// Source: UUGear, Witty-Pi-4, Software/wittypi/utilities.sh (HALT_PIN, SYSUP_PIN).
    public var ownLines: [Int] { self == .wittyPi4 ? [4, 17] : [] }

    /// Whether the switch watches the header's UART output (GPIO14) to see whether the host still runs.
    ///
    /// If the host sends a byte to a GNSS receiver on that UART after the pulse on GPIO17, the switch stops watching
    /// and never cuts the supply.
    public var watchesUART: Bool { self == .wittyPi4 }
}

extension BoardLine {
    /// Whether this is the GPIO line of that number on the 40-pin header, named `GPIO17` or by its offset on the
    /// Raspberry Pi's own GPIO chip.
    public func isHeaderLine(_ number: Int) -> Bool {
        name == "GPIO\(number)" || name.hasPrefix("pinctrl-") && name.hasSuffix(":\(number)")
    }
}
