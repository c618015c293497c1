public import Boards
internal import Hardware
public import HostSwitches

/// The part that cuts and restores the board's supply, as far as the examination of a system needs it.
public struct ExaminedSwitch: Sendable, Equatable {
    public var model: HostSwitchModel
    /// The switch's bus: a device node, or an adapter's name.
    public var bus: String
    /// The address through which Sextant works on the switch, and no driver of the kernel's may; nil where it is on no bus.
    public var address: UInt8?
    /// The address of the switch's clock alone, at which a driver may work that sets no alarm.
    public var clockAddress: UInt8?

    public init(_ board: BoardHostSwitch) {
        model = board.model
        bus = board.bus ?? ""
        address = board.usedAddress?.rawValue
        // A PiJuice's clock poses as a DS1339, the model that PiJuice, `Software/README.md`, gives to the kernel.
        clockAddress = model == .pijuice ? 0x68 : nil
    }

    /// Whether a driver of the kernel's for a chip at an address disturbs the switch.
    ///
    /// A DS1307 has no alarm, so that its driver keeps the time and sets none. Source: Linux, `drivers/rtc/rtc-ds1307.c`.
    func isDisturbed(byDriverFor chip: String, at other: UInt8) -> Bool {
        other == address || other == clockAddress && chip != "ds1307"
    }
}
