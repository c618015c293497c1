/// The part that cuts and restores the board's supply, as far as the examination of a system needs it.
public struct ExaminedSwitch: Sendable, Equatable {
    /// The models by their names in board files.
    public enum Model: String, Sendable, CaseIterable {
        case rtc, pijuice, wittyPi4, wittyPi5, piSugar3, lifepo4wered, latch

        /// The address of the switch on its bus, where the board file gives none; nil for a Raspberry Pi 5's own clock,
        /// which is on no I2C bus.
        ///
        /// Source: PiJuice, `pijuice.py`; UUGear, `Firmware/WittyPi4/WittyPi4.ino` and the Witty Pi 5's firmware; PiSugar,
        /// `pisugar-power-manager-rs`; xorbit, `LiFePO4wered-Pi`; the DS3231's data sheet.
        fileprivate var usualAddress: UInt8? {
            switch self {
            case .rtc: nil
            case .pijuice: 0x14
            case .wittyPi4: 0x08
            case .wittyPi5: 0x51
            case .piSugar3: 0x57
            case .lifepo4wered: 0x43
            case .latch: 0x68
            }
        }

        /// The second address of the switch, at which its clock poses as one of a known model.
        ///
        /// Source: PiJuice, `Software/README.md`, which has the kernel's driver for the DS1339 there.
        fileprivate var clockAddress: UInt8? { self == .pijuice ? 0x68 : nil }
    }

    public var model: Model
    /// The switch's bus: a device node, or an adapter's name.
    public var bus: String
    /// The address through which Sextant works on the switch, and no driver of the kernel's may; nil where it is on no bus.
    public var address: UInt8?
    /// The address of the switch's clock alone, at which a driver may work that sets no alarm.
    public var clockAddress: UInt8?

    /// - Parameter address: The address from the board's file; nil for the model's usual one.
    public init(model: Model, bus: String, address: UInt8? = nil) {
        self.model = model
        self.bus = bus
        self.address = model == .rtc ? nil : address ?? model.usualAddress
        clockAddress = model.clockAddress
    }

    /// Whether a driver of the kernel's for a chip at an address disturbs the switch.
    ///
    /// A DS1307 has no alarm, so that its driver keeps the time and sets none. Source: Linux, `drivers/rtc/rtc-ds1307.c`.
    func isDisturbed(byDriverFor chip: String, at other: UInt8) -> Bool {
        other == address || other == clockAddress && chip != "ds1307"
    }
}
