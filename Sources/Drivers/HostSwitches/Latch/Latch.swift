public import Hardware
public import HostSleep
public import SextantUnits

/// The registers of a DS3231 that the driver uses.
///
/// Source: Maxim, DS3231 data sheet, 19-5170, figure 1 and tables 2 and 3; from memory.
enum DS3231Register {
    /// The first of the clock's seven registers: second, minute, hour, weekday, day, month (bit 7 is the century) and
    /// year.
    static let clock: UInt8 = 0x00
    /// In the hour: a 12 h clock.
    static let isTwelveHour: UInt8 = 1 << 6
    static let century: UInt8 = 1 << 7
    /// Alarm 1: second, minute, hour and day; bit 7 of each field says that the field is not compared, bit 6 of the day
    /// that it is a weekday.
    static let alarm: UInt8 = 0x07
    static let any: UInt8 = 1 << 7
    static let isWeekday: UInt8 = 1 << 6
    static let control: UInt8 = 0x0E
    /// This bit of `control` makes the pin an interrupt output and not a square wave; the next two let alarm 2 and
    /// alarm 1 drive the pin.
    static let isInterrupt: UInt8 = 1 << 2
    static let secondDrives: UInt8 = 1 << 1
    static let firstDrives: UInt8 = 1 << 0
    static let status: UInt8 = 0x0F
    /// This bit of `status` says that the oscillator has stopped since the bit was cleared; `alwaysZero` are three bits
    /// that are always 0; `firstFired` says that alarm 1 has fired.
    static let hasStopped: UInt8 = 1 << 7
    static let alwaysZero: UInt8 = 0x70
    static let firstFired: UInt8 = 1 << 0
}

/// A DS3231 whose open-drain interrupt sets a latch that supplies the board.
///
/// The host's halt resets the latch, by the kernel's overlay `gpio-poweroff`, after the last write to the SD card. A
/// motion sensor's interrupt can set the latch as well; the driver does not know that sensor, so it reports every cause
/// of a wake except the alarm as unknown. There is no backstop. Source: as `DS3231Register`; not tried on hardware. The
/// chip has no identity register: three bits of its status that are always 0 serve as the identity.
public struct Latch: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x68)

    public let address: I2CAddress
    public var model: HostSwitchModel { .latch }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        let status = try bus.byte(DS3231Register.status, at: address)
        guard status & DS3231Register.alwaysZero == 0 else {
            throw .wrongIdentity(
                model, register: DS3231Register.status, expected: status & ~DS3231Register.alwaysZero, found: status,
                at: bus.chip(address))
        }
        return "DS3231"
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        guard try bus.byte(DS3231Register.status, at: address) & DS3231Register.hasStopped == 0 else { return nil }
        let row = try bus.row(7, from: DS3231Register.clock, at: address)
        guard row[2] & DS3231Register.isTwelveHour == 0 else { return nil }
        return ClockFace(
            second: row[0], minute: row[1], hour: row[2], day: row[4], month: row[5] & ~DS3231Register.century,
            year: row[6]
        ).instant
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let face = ClockFace(instant)
        let row = [face.second, face.minute, face.hour, face.weekday + 1, face.day, face.month, face.year]
        // The seconds are written first, which begins a new second, so no other field changes while it is written.
        for (index, value) in row.enumerated() {
            try bus.put(value, to: DS3231Register.clock + UInt8(index), at: address)
        }
        let status = try bus.byte(DS3231Register.status, at: address)
        try bus.put(status & ~DS3231Register.hasStopped, to: DS3231Register.status, at: address)
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let time = AlarmTime(order.alarm)
        guard order.backstop == nil else { throw .outOfReach(model, "a second way back") }
        try checkReach(of: order.alarm, as: time, over: &bus)
        try disarm(over: &bus)
        try bus.putAlarm(time, to: DS3231Register.alarm, at: address)
        let control = try bus.byte(DS3231Register.control, at: address)
        try bus.put(
            control | DS3231Register.isInterrupt | DS3231Register.firstDrives, to: DS3231Register.control, at: address)
    }

    /// Reads the alarm that will set the latch; an alarm that has already fired is not reported, because it holds the
    /// interrupt.
    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let row = try bus.row(4, from: DS3231Register.alarm, at: address)
        let needed = DS3231Register.isInterrupt | DS3231Register.firstDrives
        let isEnabled = try bus.byte(DS3231Register.control, at: address) & needed == needed
        let hasFired = try bus.byte(DS3231Register.status, at: address) & DS3231Register.firstFired != 0
        var alarm: UTCInstant?
        let isPlain = (row[0] | row[1] | row[2] | row[3]) & DS3231Register.any == 0
        if let clock, isEnabled, !hasFired, isPlain, row[3] & DS3231Register.isWeekday == 0 {
            alarm = AlarmTime(bcdDay: row[3], hour: row[2], minute: row[1], second: row[0])?.next(after: clock)
        }
        return SwitchReading(clock: clock, alarm: alarm, backstop: nil, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let control = try bus.byte(DS3231Register.control, at: address)
        let drives = DS3231Register.firstDrives | DS3231Register.secondDrives
        try bus.put(control & ~drives, to: DS3231Register.control, at: address)
        let status = try bus.byte(DS3231Register.status, at: address)
        try bus.put(status & ~DS3231Register.firstFired, to: DS3231Register.status, at: address)
    }

    /// Does nothing, since the host's halt resets the latch.
    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {}

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        let hasFired = try bus.byte(DS3231Register.status, at: address) & DS3231Register.firstFired != 0
        return hasFired ? HostWake(.alarm, isRead: true) : HostWake(.unknown, isRead: false)
    }

    /// Returns no values, because the chip does not measure the battery.
    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        HostBattery()
    }

    /// Does nothing, because the board's wiring decides whether the latch is set when the supply returns.
    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {}
}
