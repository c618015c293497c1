public import Hardware
public import HostSleep
public import SextantUnits

/// The registers of a Witty Pi 5 HAT+ that the driver uses.
///
/// Source: UUGear, Witty-Pi-5-Firmware, src/i2c.h and src/main.h.
enum WittyPi5Register {
    static let identity: UInt8 = 0x00
    static let isHATPlus: UInt8 = 0x51
    /// The firmware's major version; the next register has the minor version.
    static let version: UInt8 = 0x01
    /// The voltage at the USB socket and that at the input, in millivolts, each with its high byte first.
    static let usbMillivolts: UInt8 = 0x03
    static let inputMillivolts: UInt8 = 0x05
    /// The high four bits of this register say why the switch last switched the host on.
    static let reason: UInt8 = 0x0E
    /// Bit 0 of this register says that a schedule of the maker's software is in use, which overrides the alarms.
    static let miscellaneous: UInt8 = 0x0F
    static let hasSchedule: UInt8 = 1 << 0
    /// The seconds from the request to power off until the switch cuts the supply.
    static let cutDelay: UInt8 = 0x12
    /// The voltage below which the switch shuts the host down and that at which it wakes the host, in tenths of a volt;
    /// 0 for never.
    static let lowVoltage: UInt8 = 0x16
    static let recoveryVoltage: UInt8 = 0x17
    /// The alarm that switches the host on and the alarm that shuts it down, each with second, minute, hour and day of
    /// the month.
    static let onAlarm: UInt8 = 0x20
    static let offAlarm: UInt8 = 0x24
    /// Bits 6:0 of this register are the minutes by which the firmware moves its clock in summer; 0 for never.
    static let summerTime: UInt8 = 0x2C
    static let summerMinutes: UInt8 = 0x7F
    static let shutdown: UInt8 = 0x47
    /// The first of the seven registers of the RX8025T, the clock chip: second, minute, hour, weekday (one bit of
    /// seven, Sunday in bit 0), day, month and year.
    static let clock: UInt8 = 0x50
    /// The RX8025T's flags.
    static let clockFlags: UInt8 = 0x5E
    /// This bit of `clockFlags` says that the clock's supply was too low to keep its data.
    static let hasStopped: UInt8 = 1 << 1
    /// This value of `shutdown` says that the host is powering off.
    static let isPoweringOff: UInt8 = 2
}

/// UUGear's Witty Pi 5 HAT+.
///
/// The firmware copies the alarm's minute into its clock chip only while the host is shutting down, and counts the
/// seconds itself. So a reading proves only that the firmware has the request. The firmware ignores alarms if the
/// weekday in its clock is not exactly one bit, or if a schedule of the maker's software is in use; and it moves its
/// clock if summer time is set. In all these cases `reading` reports no alarm. There is no backstop for a board that is
/// off. The firmware cuts the supply a fixed time after the request to power off, whether or not the host has stopped.
/// When it starts, it clears the flag that its clock has stopped, so the driver does not always see that flag. Source:
/// UUGear, Witty-Pi-5-Firmware, version 1.4, src/rtc.c, src/power.c and src/main.c; by reading, not tried on hardware.
public struct WittyPi5: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x51)
    private static let oldestVersion: [UInt8] = [1, 4]

    public let address: I2CAddress
    public var model: HostSwitchModel { .wittyPi5 }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        let found = try bus.byte(WittyPi5Register.identity, at: address)
        guard found == WittyPi5Register.isHATPlus else {
            throw .wrongIdentity(
                model, register: WittyPi5Register.identity, expected: WittyPi5Register.isHATPlus, found: found,
                at: bus.chip(address))
        }
        let version = try bus.bytes(2, from: WittyPi5Register.version, at: address)
        let text = "\(version[0]).\(version[1])"
        guard !([version[0], version[1]].lexicographicallyPrecedes(WittyPi5.oldestVersion)) else {
            throw .otherFirmware(model, found: text, needed: "1.4 or newer")
        }
        return text
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        guard try bus.byte(WittyPi5Register.clockFlags, at: address) & WittyPi5Register.hasStopped == 0 else {
            return nil
        }
        let row = try bus.steadyBytes(7, from: WittyPi5Register.clock, second: 0, of: model, at: address)
        guard row[3].nonzeroBitCount == 1 else { return nil }
        return ClockFace(second: row[0], minute: row[1], hour: row[2], day: row[4], month: row[5], year: row[6]).instant
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let face = ClockFace(instant)
        let row = [face.second, face.minute, face.hour, 1 << face.weekday, face.day, face.month, face.year]
        for index in row.indices.reversed() {
            try bus.put(row[index], to: WittyPi5Register.clock + UInt8(index), at: address)
        }
        let flags = try bus.byte(WittyPi5Register.clockFlags, at: address)
        try bus.put(flags & ~WittyPi5Register.hasStopped, to: WittyPi5Register.clockFlags, at: address)
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let time = AlarmTime(order.alarm)
        guard order.backstop == nil else { throw .outOfReach(model, "a second way back") }
        try checkReach(of: order.alarm, as: time, over: &bus)
        try disarm(over: &bus)
        try bus.putAlarm(time, to: WittyPi5Register.onAlarm, at: address)
    }

    /// Reads the requested alarm; the alarm is not reported if anything would undo it, such as a shutdown alarm.
    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let time = try bus.alarm(from: WittyPi5Register.onAlarm, at: address)
        let hasOffAlarm = try bus.alarm(from: WittyPi5Register.offAlarm, at: address) != nil
        let hasSchedule =
            try bus.byte(WittyPi5Register.miscellaneous, at: address) & WittyPi5Register.hasSchedule != 0
        let summer = try bus.byte(WittyPi5Register.summerTime, at: address) & WittyPi5Register.summerMinutes
        var alarm: UTCInstant?
        if let clock, !hasOffAlarm, !hasSchedule, summer == 0 { alarm = time?.next(after: clock) }
        return SwitchReading(clock: clock, alarm: alarm, backstop: nil, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.putAlarm(nil, to: WittyPi5Register.onAlarm, at: address)
        try bus.putAlarm(nil, to: WittyPi5Register.offAlarm, at: address)
    }

    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.put(try cutByte(seconds), to: WittyPi5Register.cutDelay, at: address)
        try bus.put(WittyPi5Register.isPoweringOff, to: WittyPi5Register.shutdown, at: address)
    }

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        switch try bus.byte(WittyPi5Register.reason, at: address) >> 4 {
        case 1: HostWake(.alarm, isRead: true)
        case 3: HostWake(.button, isRead: true)
        case 5, 8: HostWake(.power, isRead: true)
        default: HostWake(.unknown, isRead: false)
        }
    }

    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        let usb = try bus.bytes(2, from: WittyPi5Register.usbMillivolts, at: address)
        let input = try bus.bytes(2, from: WittyPi5Register.inputMillivolts, at: address)
        let low = try bus.byte(WittyPi5Register.lowVoltage, at: address)
        let usbMillivolts = Int(usb[0]) << 8 | Int(usb[1])
        return HostBattery(
            millivolts: Int(input[0]) << 8 | Int(input[1]), hasExternalPower: usbMillivolts > 4000,
            cutMillivolts: low == 0 ? nil : Int(low) * 100)
    }

    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let tenths = recovery.map { UInt8(clamping: max(($0.millivolts + 50) / 100, 1)) } ?? 0
        try bus.put(tenths, to: WittyPi5Register.recoveryVoltage, at: address)
    }
}
