public import Hardware
public import HostSleep
public import SextantUnits

/// UUGear's Witty Pi 4.
///
/// The chip answers with one byte per transfer. It compares the alarm with its clock about once a second, and an alarm
/// that it misses for 2 s is lost for a month. So, when an alarm is set, the day is written first and the seconds last.
/// The backstop is the register "guaranteed wake", which counts whole hours from the cut of the supply by the chip's
/// own oscillator. Firmware before revision 7 does not have it and is refused.
///
/// No register cuts the supply: the host gives a pulse on the line "the system is up" (GPIO17), and the switch cuts
/// once the host's UART is silent. A motion sensor's pulse on the button input looks to the switch like a press of the
/// button. Source: UUGear, Witty-Pi-4, Firmware/WittyPi4/WittyPi4.ino, revisions 6 and 7; by reading, not tried on
/// hardware.
public struct WittyPi4: HostSwitchChip {
    public static let usualAddress = I2CAddress(0x08)
    private static let oldestRevision: UInt8 = 7

    public let address: I2CAddress
    public var model: HostSwitchModel { .wittyPi4 }

    public init(at address: I2CAddress) { self.address = address }

    public func identify(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> String {
        let found = try bus.byte(WittyPi4Register.identity, at: address)
        guard found == WittyPi4Register.isWittyPi4 else {
            throw .wrongIdentity(
                model, register: WittyPi4Register.identity, expected: WittyPi4Register.isWittyPi4, found: found,
                at: bus.chip(address))
        }
        let revision = try bus.byte(WittyPi4Register.revision, at: address)
        guard revision >= WittyPi4.oldestRevision else {
            throw .otherFirmware(model, found: "revision \(revision)", needed: "revision 7 or newer")
        }
        return "revision \(revision)"
    }

    public func clock(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> UTCInstant? {
        let row = try bus.steadyBytes(7, from: WittyPi4Register.clock, second: 0, of: model, at: address)
        guard row[0] & WittyPi4Register.hasStopped == 0 else { return nil }
        return ClockFace(second: row[0], minute: row[1], hour: row[2], day: row[3], month: row[5], year: row[6]).instant
    }

    public func setClock(
        to instant: UTCInstant, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let face = ClockFace(instant)
        let row = [face.second, face.minute, face.hour, face.day, face.weekday, face.month, face.year]
        // The seconds are written last, after all other fields are set.
        for index in row.indices.reversed() {
            try bus.put(row[index], to: WittyPi4Register.clock + UInt8(index), at: address)
        }
    }

    public func arm(_ order: SwitchOrder, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        let time = AlarmTime(order.alarm)
        let hours = try count(of: order.backstop, each: 3600, most: 127)
        try checkReach(of: order.alarm, as: time, over: &bus)
        try disarm(over: &bus)
        let misc = try bus.byte(WittyPi4Register.miscellaneous, at: address)
        try bus.put(misc | WittyPi4Register.neverDelayed, to: WittyPi4Register.miscellaneous, at: address)
        try bus.putAlarm(time, to: WittyPi4Register.onAlarm, at: address)
        try bus.put(UInt8(hours), to: WittyPi4Register.guaranteedWake, at: address)
    }

    /// Reads what will wake the host; the alarm is not reported if a shutdown alarm is set too, which would undo it.
    public func reading(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> SwitchReading {
        let clock = try clock(over: &bus)
        let time = try bus.alarm(from: WittyPi4Register.onAlarm, at: address)
        let hasOffAlarm = try bus.alarm(from: WittyPi4Register.offAlarm, at: address) != nil
        let isDelayed =
            try bus.byte(WittyPi4Register.miscellaneous, at: address) & WittyPi4Register.neverDelayed == 0
        let wake = try bus.byte(WittyPi4Register.guaranteedWake, at: address)
        let hours = Int(wake & ~WittyPi4Register.inDays) * (wake & WittyPi4Register.inDays != 0 ? 24 : 1)
        var alarm: UTCInstant?
        if let clock, !hasOffAlarm, !isDelayed { alarm = time?.next(after: clock) }
        return SwitchReading(
            clock: clock, alarm: alarm, backstop: hours == 0 ? nil : Double(hours) * 3600, byMotion: false)
    }

    public func disarm(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.putAlarm(nil, to: WittyPi4Register.onAlarm, at: address)
        try bus.putAlarm(nil, to: WittyPi4Register.offAlarm, at: address)
        try bus.put(0, to: WittyPi4Register.onFlag, at: address)
        try bus.put(0, to: WittyPi4Register.offFlag, at: address)
        try bus.put(0, to: WittyPi4Register.guaranteedWake, at: address)
    }

    /// Sets the delay from the silence of the host's UART to the cut of the supply, at most 25 s; the caller must also
    /// give a pulse on GPIO17.
    public func cut(after seconds: Int, over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) {
        try bus.put(try cutByte(seconds, each: 10), to: WittyPi4Register.cutDelay, at: address)
    }

    public func wake(
        near alarm: UTCInstant?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) -> HostWake {
        let cause: WakeCause
        switch WittyPi4Reason(rawValue: try bus.byte(WittyPi4Register.reason, at: address)) {
        case .alarm, .delayedAlarm: cause = .alarm
        case .button: cause = .button
        case .voltageRestored, .powerConnected: cause = .power
        case .guaranteedWake: cause = .backstop
        case nil: return HostWake(.unknown, isRead: false)
        }
        return HostWake(cause, isRead: true)
    }

    /// Reads the voltage at the input, which is the battery's voltage if a battery is connected there.
    public func battery(over bus: inout some I2CBus & ~Copyable) throws(HostSwitchError) -> HostBattery {
        // Reading the register of the volts starts a measurement, from which the register of the hundredths also has
        // its value.
        let volts = try bus.bytes(2, from: WittyPi4Register.inputVolts, at: address)
        let low = try bus.byte(WittyPi4Register.lowVoltage, at: address)
        return HostBattery(
            millivolts: Int(volts[0]) * 1000 + Int(volts[1]) * 10, cutMillivolts: low == 255 ? nil : Int(low) * 100)
    }

    public func setRecovery(
        _ recovery: HostRecovery?, over bus: inout some I2CBus & ~Copyable
    ) throws(HostSwitchError) {
        let tenths = recovery.map { UInt8(clamping: min(max(($0.millivolts + 50) / 100, 0), 254)) } ?? 255
        try bus.put(tenths, to: WittyPi4Register.recoveryVoltage, at: address)
    }
}
