public import Boards
internal import Hardware
public import HostSwitches

/// The part that cuts and restores the board's supply, with what the doctor needs to examine it.
public struct ExaminedSwitch: Sendable, Equatable {
    public var model: HostSwitchModel
    /// The I2C bus that the switch is on, as a device node or an adapter's name; empty if the board's file names no
    /// bus.
    public var bus: String
    /// The I2C address at which Sextant reaches the switch, and which no kernel driver may use; nil if the switch is on
    /// no bus.
    public var address: UInt8?
    /// The I2C address of the switch's clock, which only a kernel driver that sets no alarm may use; nil if the switch
    /// has no clock at an I2C address.
    public var clockAddress: UInt8?

    public init(_ board: BoardHostSwitch) {
        model = board.model
        bus = board.bus ?? ""
        address = board.usedAddress?.rawValue
        // A PiJuice's clock behaves like a DS1339, which is the model that PiJuice's `Software/README.md` names to the
        // kernel.
        clockAddress = model == .pijuice ? 0x68 : nil
    }

    /// Whether a kernel driver for a chip at an I2C address disturbs the supply switch.
    ///
    /// The driver of a DS1307 does not disturb the switch's clock: this chip has no alarm, so its driver only reads and
    /// sets the time. Source: Linux, `drivers/rtc/rtc-ds1307.c`.
    func isDisturbed(byDriverFor chip: String, at other: UInt8) -> Bool {
        other == address || other == clockAddress && chip != "ds1307"
    }
}
