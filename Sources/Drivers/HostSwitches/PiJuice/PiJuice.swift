public import Hardware
public import HostSleep
public import SextantUnits

/// PiSupply's PiJuice and PiJuice Zero.
///
/// The alarm is a day of the month and a time of day, in UTC. The backstop is the watchdog, which counts minutes since
/// the last command from the host; after the set number it switches on a board that is off, and resets one that runs.
/// The firmware does not wake the host within 15 s of a command from it, nor within 30 s of the last wake; the alarm
/// then stays pending. The kernel's DS1339 driver clears the alarm's enable bit whenever it sets the clock.
///
/// The firmware never cuts a board that is also supplied through its own 5 V; `battery` reports that supply. Source:
/// PiJuice, Firmware/Sources-V1.6_2021_09_10 and Firmware/Source/Src (rtc_ds1339_emu.c, power_management.c), and
/// Software/Source/pijuice.py; by reading, not tried on hardware. The sources of older firmware were not read, so older
/// firmware is refused.
public struct PiJuice: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x14)
    /// The largest number of minutes for which the watchdog can be set in units of one minute.
    static let longestWatchdog = 0x3FFF
    private static let oldestFirmware: UInt8 = 0x16

    public let address: I2CAddress
    public var model: HostSwitchModel { .pijuice }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        let version = try read(.firmware, over: &bus)[0]
        let text = "\(version >> 4).\(version & 0x0F)"
        guard version >= PiJuice.oldestFirmware else {
            throw .otherFirmware(model, found: text, needed: "1.6 or newer")
        }
        return text
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        let row = try read(.time, over: &bus)
        guard row[2] & PiJuiceAlarm.other == 0 else { return nil }
        return ClockFace(second: row[0], minute: row[1], hour: row[2], day: row[4], month: row[5], year: row[6]).instant
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let face = ClockFace(instant)
        let weekday = face.weekday + 1
        try write(
            .time, [face.second, face.minute, face.hour, weekday, face.day, face.month, face.year, 0, 0], over: &bus)
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let time = AlarmTime(order.alarm)
        let minutes = try count(of: order.backstop, each: 60, most: PiJuice.longestWatchdog)
        try checkReach(of: order.alarm, as: time, over: &bus)
        try disarm(over: &bus)
        try write(.alarm, PiJuiceAlarm.bytes(time), over: &bus)
        try write(.alarmControl, [PiJuiceAlarmControl.enabled, 0], over: &bus)
        try write(.watchdog, [UInt8(minutes & 0xFF), UInt8(minutes >> 8)], over: &bus)
    }

    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let time = PiJuiceAlarm.time(try read(.alarm, over: &bus))
        let isEnabled =
            try read(.alarmControl, over: &bus)[0] & PiJuiceAlarmControl.enabled == PiJuiceAlarmControl.enabled
        let minutes = try watchdogMinutes(over: &bus)
        var alarm: UTCInstant?
        if let clock, isEnabled { alarm = time?.next(after: clock) }
        return SwitchReading(
            clock: clock, alarm: alarm, backstop: minutes == 0 ? nil : Double(minutes) * 60, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        // The watchdog is stopped first, because it resets a running board. If the chip keeps the watchdog's period in
        // its flash, it is cleared there; otherwise the flash is not written, because each write wears it.
        let watchdog = try watchdogWord(over: &bus)
        let isKept = watchdog & PiJuiceWatchdog.isKept != 0
        try write(.watchdog, [0, isKept ? UInt8(PiJuiceWatchdog.isKept >> 8) : 0], over: &bus)
        try write(.alarmControl, [0, 0], over: &bus)
        try write(.alarm, PiJuiceAlarm.none, over: &bus)
        try write(.faults, [0], over: &bus)
    }

    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        // In this register the firmware gives the values 251 to 255 other meanings.
        guard seconds <= 250 else { throw .outOfReach(model, "this delay of the cut") }
        try write(.powerOff, [try cutByte(seconds)], over: &bus)
    }

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        let faults = try read(.faults, over: &bus)[0]
        if faults & 1 << 3 != 0 { return HostWake(.backstop, isRead: true) }
        let hasFired = try read(.alarmControl, over: &bus)[1] & PiJuiceAlarmControl.hasFired != 0
        return hasFired ? HostWake(.alarm, isRead: true) : HostWake(.unknown, isRead: false)
    }

    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        let status = try read(.status, over: &bus)[0]
        let percent = try read(.charge, over: &bus)[0]
        let voltage = try read(.voltage, over: &bus)
        let battery = status >> 2 & 3
        return HostBattery(
            percent: Int(percent), millivolts: Int(voltage[0]) | Int(voltage[1]) << 8,
            isCharging: battery == 1 || battery == 2, hasExternalPower: status >> 4 & 3 != 0 || status >> 6 != 0)
    }

    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        try write(.wakeOnCharge, [recovery.map { UInt8(clamping: min(max($0.percent, 0), 100)) } ?? 0x7F], over: &bus)
    }

    private func watchdogWord(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> Int {
        let row = try read(.watchdog, over: &bus)
        return Int(row[0]) | Int(row[1]) << 8
    }

    private func watchdogMinutes(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> Int {
        let word = try watchdogWord(over: &bus)
        return (word & 0x3FFF) << (word & PiJuiceWatchdog.coarse != 0 ? 2 : 0)
    }

    /// Reads a block, at most three times until its checksum is right.
    ///
    /// The first byte's highest bit is sometimes lost. It is set if the checksum is right with it, as in the maker's
    /// own program.
    private func read(
        _ command: PiJuiceCommand, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> RegisterBytes {
        for _ in 0..<3 {
            let row = try bus.row(command.count + 1, from: command.rawValue, at: address)
            let difference = (0..<row.count).reduce(0xFF) { $0 ^ row[$1] }
            if difference == 0 { return row }
            if difference == 0x80, row[0] & 0x80 == 0 {
                return RegisterBytes((0..<row.count).map { $0 == 0 ? row[0] | 0x80 : row[$0] })
            }
        }
        throw .unreadable(model, register: command.rawValue)
    }

    private func write(
        _ command: PiJuiceCommand, _ bytes: [UInt8], over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let checksum = bytes.reduce(0xFF, ^)
        try bus.put(RegisterBytes(bytes + [checksum]), to: command.rawValue, at: address)
    }
}
