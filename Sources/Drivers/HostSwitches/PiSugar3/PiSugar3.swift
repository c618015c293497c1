public import Hardware
public import HostSleep
public import SextantUnits

/// The registers of a PiSugar 3 that the driver uses.
///
/// Source: PiSugar, pisugar-doc, docs/product-wiki/battery/pisugar3/pisugar-3-i2c.md, and pisugar-power-manager-rs,
/// pisugar-core/src/pisugar3.rs.
enum PiSugar3Register {
    static let control: UInt8 = 0x02
    /// This bit of `control` says that a supply is connected; the next three, that charging is allowed, that the output
    /// stays on, and that the output switches on when the supply returns.
    static let hasSupply: UInt8 = 1 << 7
    static let mayCharge: UInt8 = 1 << 6
    static let staysOn: UInt8 = 1 << 5
    static let returnsWithSupply: UInt8 = 1 << 4
    /// The seconds from the clearing of the bit `staysOn` until the output goes off.
    static let cutDelay: UInt8 = 0x09
    static let writeProtection: UInt8 = 0x0B
    static let unlocked: UInt8 = 0x29
    static let locked: UInt8 = 0x00
    /// The battery's voltage in millivolts, the high byte first.
    static let voltage: UInt8 = 0x22
    static let percent: UInt8 = 0x2A
    /// The first of the clock's seven registers: year, month, day, weekday, hour, minute and second.
    static let clock: UInt8 = 0x31
    static let alarmControl: UInt8 = 0x40
    /// This bit of `alarmControl` enables the alarm.
    static let isEnabled: UInt8 = 1 << 7
    /// The weekdays of the alarm, Sunday in bit 0, followed by its hour, minute and second.
    static let alarm: UInt8 = 0x44
    static let everyDay: UInt8 = 0x7F
    /// The firmware's version as text of at most 15 bytes, which a zero byte ends.
    static let version: UInt8 = 0xE2
}

/// PiSugar 3, PiSugar 3 Plus and similar models.
///
/// The alarm fires at its time of day on every day until it is removed. So a missed alarm, or a clock with a wrong
/// weekday, delays the wake by at most a day. The chip does not report that the alarm fired, so the cause of a wake is
/// inferred. There is no backstop. Registers can be written only while the write protection is off; according to the
/// maker, the delay until the supply is cut is inexact. Each register is read and written in its own transfer, as in
/// the maker's program. Source: as `PiSugar3Register`; by reading, not tried on hardware. The maker names no identity
/// register, so the text of the firmware's version serves as the identity.
public struct PiSugar3: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x57)
    private static let oldestVersion: [UInt8] = [1, 2, 4]

    public let address: I2CAddress
    public var model: HostSwitchModel { .piSugar3 }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        var numbers: [UInt8] = [0]
        var text = ""
        for offset in 0..<15 as Range<UInt8> {
            let byte = try bus.byte(PiSugar3Register.version + offset, at: address)
            guard byte != 0 else { break }
            guard byte == 0x2E || (0x30...0x39).contains(byte) else {
                // A character other than a digit or a point ends the version, if three numbers have been read; before
                // that, it shows that the text is no version.
                guard numbers.count < 3 else { break }
                throw .wrongIdentity(
                    model, register: PiSugar3Register.version + offset, expected: 0x30, found: byte,
                    at: bus.chip(address))
            }
            text.unicodeScalars.append(Unicode.Scalar(byte))
            if byte == 0x2E {
                numbers.append(0)
            } else {
                let last = numbers.count - 1
                numbers[last] = UInt8(clamping: Int(numbers[last]) * 10 + Int(byte - 0x30))
            }
        }
        guard !numbers.lexicographicallyPrecedes(PiSugar3.oldestVersion) else {
            throw .otherFirmware(model, found: text.isEmpty ? "without a version" : text, needed: "1.2.4 or newer")
        }
        return text
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        let row = try bus.steadyBytes(7, from: PiSugar3Register.clock, second: 6, of: model, at: address)
        return ClockFace(second: row[6], minute: row[5], hour: row[4], day: row[2], month: row[1], year: row[0]).instant
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let face = ClockFace(instant)
        let row = [face.year, face.month, face.day, face.weekday, face.hour, face.minute, face.second]
        try unlock(over: &bus)
        for (index, value) in row.enumerated() {
            try bus.put(value, to: PiSugar3Register.clock + UInt8(index), at: address)
        }
        try lock(over: &bus)
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let time = AlarmTime(order.alarm, isDaily: true)
        guard order.backstop == nil else { throw .outOfReach(model, "a second way back") }
        try checkReach(of: order.alarm, as: time, over: &bus)
        try disarm(over: &bus)
        let control = try bus.byte(PiSugar3Register.alarmControl, at: address)
        let row = [PiSugar3Register.everyDay, time.hour.bcd, time.minute.bcd, time.second.bcd]
        try unlock(over: &bus)
        for (index, value) in row.enumerated() {
            try bus.put(value, to: PiSugar3Register.alarm + UInt8(index), at: address)
        }
        try bus.put(control | PiSugar3Register.isEnabled, to: PiSugar3Register.alarmControl, at: address)
        try lock(over: &bus)
    }

    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let isEnabled = try bus.byte(PiSugar3Register.alarmControl, at: address) & PiSugar3Register.isEnabled != 0
        let row = try bus.bytes(4, from: PiSugar3Register.alarm, at: address)
        var alarm: UTCInstant?
        if let clock, isEnabled, row[0] & PiSugar3Register.everyDay == PiSugar3Register.everyDay {
            alarm = AlarmTime(bcdDay: nil, hour: row[1], minute: row[2], second: row[3])?.next(after: clock)
        }
        return SwitchReading(clock: clock, alarm: alarm, backstop: nil, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try change(PiSugar3Register.alarmControl, clearing: PiSugar3Register.isEnabled, over: &bus)
    }

    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let delay = try cutByte(seconds)
        let control = try bus.byte(PiSugar3Register.control, at: address)
        try unlock(over: &bus)
        try bus.put(delay, to: PiSugar3Register.cutDelay, at: address)
        try bus.put(control & ~PiSugar3Register.staysOn, to: PiSugar3Register.control, at: address)
        try lock(over: &bus)
    }

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        // The chip keeps the alarm after it has fired; it fires every day, so the last time was a day
        // before the next one.
        let held = try reading(over: &bus).alarm?.advanced(byNanoseconds: -UTCInstant.nanosecondsPerDay)
        return try inferredWake(near: alarm ?? held, over: &bus)
    }

    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        let control = try bus.byte(PiSugar3Register.control, at: address)
        let volts = try bus.bytes(2, from: PiSugar3Register.voltage, at: address)
        let percent = try bus.byte(PiSugar3Register.percent, at: address)
        let hasSupply = control & PiSugar3Register.hasSupply != 0
        return HostBattery(
            percent: Int(percent), millivolts: Int(volts[0]) << 8 | Int(volts[1]),
            isCharging: hasSupply && control & PiSugar3Register.mayCharge != 0, hasExternalPower: hasSupply)
    }

    /// Sets whether the output switches on when the supply returns; the chip has no threshold of charge or voltage for
    /// this.
    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let bit = PiSugar3Register.returnsWithSupply
        try change(PiSugar3Register.control, setting: recovery == nil ? 0 : bit, clearing: bit, over: &bus)
    }

    private func change(
        _ register: UInt8, setting: UInt8 = 0, clearing: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let value = try bus.byte(register, at: address)
        try unlock(over: &bus)
        try bus.put(value & ~clearing | setting, to: register, at: address)
        try lock(over: &bus)
    }

    private func unlock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.put(PiSugar3Register.unlocked, to: PiSugar3Register.writeProtection, at: address)
    }

    private func lock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.put(PiSugar3Register.locked, to: PiSugar3Register.writeProtection, at: address)
    }
}
