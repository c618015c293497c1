public import Hardware
public import HostSleep
public import SextantUnits

/// The registers of the firmware's clock, and the mailbox properties for reading and for writing a register.
///
/// Source: Raspberry Pi, Linux, drivers/rtc/rtc-rpi.c.
enum FirmwareClock {
    static let read: UInt32 = 0x0003_0087
    static let write: UInt32 = 0x0003_8087
    static let time: UInt32 = 0
    static let alarm: UInt32 = 1
    static let isEnabled: UInt32 = 3
}

/// The clock in the power chip of a Raspberry Pi 5, which wakes the host from a halt that cut its supply.
///
/// The alarm is set through the kernel's driver of the clock, because that driver, whenever it sets the clock, disables
/// an alarm that it did not set. The alarm is read back from the firmware and not from the kernel, which answers from
/// its own copy even if the clock has lost the alarm. The kernel's driver clears the flag that the alarm has fired
/// before any program runs, so the cause of a wake is inferred. There is no backstop and no battery measurement.
///
/// The host's halt cuts the supply, if the bootloader's configuration has POWER_OFF_ON_HALT=1. Source: as
/// `FirmwareClock`; by reading, not tried on hardware.
public struct RaspberryPiClock<Mailbox: FirmwareMailbox & ~Copyable, Alarm: KernelAlarm & ~Copyable>: HostSwitch,
    ~Copyable
{
    private var mailbox: Mailbox
    private var alarm: Alarm

    public var model: HostSwitchModel { .rtc }

    public init(mailbox: consuming Mailbox, alarm: consuming Alarm) {
        self.mailbox = mailbox
        self.alarm = alarm
    }

    public mutating func identify() throws(HostSwitchError) -> String {
        _ = try read(FirmwareClock.time)
        return "firmware's clock"
    }

    public mutating func clock() throws(HostSwitchError) -> UTCInstant? {
        UTCInstant(seconds: Int(try read(FirmwareClock.time)))
    }

    public mutating func setClock(to instant: UTCInstant) throws(HostSwitchError) {
        let seconds = try instant.wholeSeconds(for: model)
        do {
            _ = try mailbox.exchange((FirmwareClock.time, seconds), property: FirmwareClock.write)
        } catch { throw .firmware(error) }
    }

    public mutating func arm(_ order: SwitchOrder) throws(HostSwitchError) {
        guard order.backstop == nil else { throw .outOfReach(model, "a second way back") }
        let seconds = try order.alarm.wholeSeconds(for: model)
        try setAlarm(nil)
        try setAlarm(seconds)
    }

    public mutating func reading() throws(HostSwitchError) -> SwitchReading {
        let clock = try clock()
        let seconds = try read(FirmwareClock.alarm)
        let isEnabled = try read(FirmwareClock.isEnabled) != 0
        // The registers keep an alarm whose time has passed; such an alarm is not reported.
        let instant = UTCInstant(seconds: Int(seconds))
        let isAhead = clock.map { instant > $0 } ?? false
        return SwitchReading(clock: clock, alarm: isEnabled && isAhead ? instant : nil, backstop: nil, byMotion: false)
    }

    public mutating func disarm() throws(HostSwitchError) { try setAlarm(nil) }

    /// Does nothing, since the host's halt cuts the supply.
    public mutating func cut(after seconds: Int) throws(HostSwitchError) {}

    public mutating func wake(near alarm: UTCInstant?) throws(HostSwitchError) -> HostWake {
        // The register keeps an alarm whose time has passed.
        let held = UTCInstant(seconds: Int(try read(FirmwareClock.alarm)))
        return HostWake.inferred(near: alarm ?? held, clock: try clock())
    }

    /// Returns no values: the firmware knows only the voltage of the clock's own cell.
    public mutating func battery() throws(HostSwitchError) -> HostBattery { HostBattery() }

    /// Does nothing, since a Raspberry Pi 5 starts whenever its supply returns.
    public mutating func setRecovery(_ recovery: HostRecovery?) throws(HostSwitchError) {}

    private mutating func read(_ register: UInt32) throws(HostSwitchError) -> UInt32 {
        do {
            return try mailbox.exchange((register, 0), property: FirmwareClock.read).1
        } catch { throw .firmware(error) }
    }

    private mutating func setAlarm(_ seconds: UInt32?) throws(HostSwitchError) {
        do { try alarm.set(seconds) } catch { throw .firmware(error) }
    }
}
