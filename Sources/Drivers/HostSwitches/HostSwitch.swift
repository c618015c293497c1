public import Hardware
public import HostSleep
public import SextantUnits

/// A host switch (a device that cuts and restores the host's supply) together with its connection.
///
/// This is a chip with its I2C bus, or the Raspberry Pi's own clock with the firmware's mailbox. The calls are those of
/// `HostSwitchChip`, and block until the switch has answered.
public protocol HostSwitch: ~Copyable {
    var model: HostSwitchModel { get }
    mutating func identify() throws(HostSwitchError) -> String
    mutating func clock() throws(HostSwitchError) -> UTCInstant?
    mutating func setClock(to instant: UTCInstant) throws(HostSwitchError)
    mutating func arm(_ order: SwitchOrder) throws(HostSwitchError)
    mutating func reading() throws(HostSwitchError) -> SwitchReading
    mutating func disarm() throws(HostSwitchError)
    mutating func cut(after seconds: Int) throws(HostSwitchError)
    mutating func wake(near alarm: UTCInstant?) throws(HostSwitchError) -> HostWake
    mutating func battery() throws(HostSwitchError) -> HostBattery
    mutating func setRecovery(_ recovery: HostRecovery?) throws(HostSwitchError)
}

/// A host switch and the I2C bus to which it is connected; the value owns the bus.
public struct SwitchOnBus<Bus: I2CBus & ~Copyable>: HostSwitch, ~Copyable {
    private let chip: any HostSwitchChip
    private var bus: Bus

    public init(_ chip: any HostSwitchChip, on bus: consuming Bus) {
        self.chip = chip
        self.bus = bus
    }

    public var model: HostSwitchModel { chip.model }

    public mutating func identify() throws(HostSwitchError) -> String { try chip.identify(over: &bus) }
    public mutating func clock() throws(HostSwitchError) -> UTCInstant? { try chip.clock(over: &bus) }
    public mutating func setClock(to instant: UTCInstant) throws(HostSwitchError) {
        try chip.setClock(to: instant, over: &bus)
    }
    public mutating func arm(_ order: SwitchOrder) throws(HostSwitchError) { try chip.arm(order, over: &bus) }
    public mutating func reading() throws(HostSwitchError) -> SwitchReading { try chip.reading(over: &bus) }
    public mutating func disarm() throws(HostSwitchError) { try chip.disarm(over: &bus) }
    public mutating func cut(after seconds: Int) throws(HostSwitchError) {
        try chip.cut(after: seconds, over: &bus)
    }
    public mutating func wake(near alarm: UTCInstant?) throws(HostSwitchError) -> HostWake {
        try chip.wake(near: alarm, over: &bus)
    }
    public mutating func battery() throws(HostSwitchError) -> HostBattery { try chip.battery(over: &bus) }
    public mutating func setRecovery(_ recovery: HostRecovery?) throws(HostSwitchError) {
        try chip.setRecovery(recovery, over: &bus)
    }
}
