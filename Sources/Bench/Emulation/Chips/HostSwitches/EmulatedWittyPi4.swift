public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated Witty Pi 4, from UUGear's WittyPi4.ino, revisions 6 and 7.
///
/// A read gives one byte, followed by 0xFF for all further bytes. The alarm is compared with the clock once a second,
/// and fires within the 2 s after its time or not at all; while the host is off, it does not fire if the input voltage
/// is at or below the low-voltage threshold. A pulse on the system-up line starts the watch of the host's UART. When
/// the UART goes low, the countdown to the cut of the supply begins; if the UART is high again at the end of the
/// countdown, the watch ends without a cut, as for a reboot.
public final class EmulatedWittyPi4: EmulatedHostSwitch {
    /// The input's voltage in volts.
    public var inputVolts = 7.4
    private var isSystemUp = false
    private var isListening = true
    private var isTransmitHigh = true
    private var cutIn: Int?
    private var delayedAlarm = 0
    private var sinceCut = 0

    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x08)) {
        super.init(address: address, at: instant)
        registers[0] = 0x26
        registers[12] = 7
        registers[16] = 0x08
        registers[19] = 255
        registers[21] = 70
        registers[22] = 255
        registers[17] = 0
    }

    /// The revision of the firmware.
    public var revision: UInt8 {
        get { registers[12] }
        set { registers[12] = newValue }
    }

    /// Sets the level of the host's UART output (GPIO14).
    public func setTransmit(high: Bool) {
        isTransmitHigh = high
        if high {
            isListening = true
        } else if isListening, isSystemUp {
            isListening = false
            isSystemUp = false
            cutIn = max(1, Int(registers[21]) / 10)
        }
    }

    /// The host pulses the line with which it reports that its system is up (GPIO17).
    public func pulseSystemUp() {
        guard isHostOn, cutIn == nil, !isSystemUp else { return }
        registers[8] = 0
        isSystemUp = true
    }

    /// The button is pressed, or a motion sensor at the switch's button input gives a pulse.
    public func press() {
        guard !isHostOn else { return }
        turnOn(.button, reason: 3)
    }

    public override func loseAlarm() { registers.replaceSubrange(27...30, with: [0, 0, 0, 0]) }

    override func give(_ count: Int, from register: UInt8) -> [UInt8]? {
        super.give(1, from: register).map { $0 + [UInt8](repeating: 0xFF, count: count - 1) }
    }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 1: UInt8(inputVolts)
        case 2: UInt8((inputVolts - inputVolts.rounded(.down)) * 100 + 0.001)
        case 58: clock[.second] | (clock.isStopped ? 0x80 : 0)
        case 59: clock[.minute]
        case 60: clock[.hour]
        case 61: clock[.day]
        case 62: clock[.weekday]
        case 63: clock[.month]
        case 64: clock[.year]
        default: registers[Int(register)]
        }
    }

    override func take(_ values: [UInt8], at register: UInt8) -> Bool {
        // The firmware accepts only the first value of an I2C write.
        super.take(Array(values.prefix(1)), at: register)
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 16..<50:
            if (27...31).contains(register) { registers[9] = 0 }
            if (32...36).contains(register) { registers[10] = 0 }
            registers[Int(register)] = value
        case 58:
            clock.isStopped = value & 0x80 != 0
            clock[.second] = value & 0x7F
        case 59: clock[.minute] = value
        case 60: clock[.hour] = value
        case 61: clock[.day] = value
        case 62: return
        case 63: clock[.month] = value
        case 64: clock[.year] = value
        default: return
        }
    }

    override func secondPassed() {
        compareAlarms()
        if let left = cutIn {
            cutIn = left > 1 ? left - 1 : nil
            if cutIn == nil { endWatch() }
        }
        guard !isHostOn else { return }
        if delayedAlarm > 0 {
            delayedAlarm += 1
            if delayedAlarm == 4 {
                delayedAlarm = 0
                return turnOn(.alarm, reason: 8)
            }
        }
        sinceCut += 1
        let unit = registers[49] & 0x80 != 0 ? 86_400 : 3600
        let guaranteed = Int(registers[49] & 0x7F) * unit
        if revision >= 7, guaranteed > 0, sinceCut >= guaranteed { turnOn(.backstop, reason: 12) }
    }

    private func endWatch() {
        if isTransmitHigh {
            registers[11] = 11
        } else {
            sinceCut = 0
            cutSupply()
        }
    }

    private func turnOn(_ cause: WakeCause, reason: UInt8) {
        registers[11] = reason
        (isSystemUp, isListening, isTransmitHigh) = (false, true, true)
        wakeHost(cause)
    }

    private var canFire: Bool { isHostOn || registers[19] == 255 || inputVolts > Double(registers[19]) / 10 }

    private func compareAlarms() {
        let on = overdue(27)
        if canFire, registers[9] == 0, let on, (0..<2).contains(on) {
            registers[9] = 1
            registers[39] = 1
            if !isHostOn { return turnOn(.alarm, reason: 1) }
            if registers[48] & 1 == 0 { delayedAlarm = 1 }
            return
        }
        if canFire, registers[10] == 0, let off = overdue(32), (0..<2).contains(off) {
            registers[10] = 1
            registers[40] = 1
            if isHostOn, cutIn == nil {
                registers[11] = 2
                isTransmitHigh = false
                cutIn = max(1, Int(registers[21]) / 10)
            }
        }
    }

    /// Seconds since the alarm's time, negative if the alarm is still to come in this month; nil if no alarm is set.
    private func overdue(_ register: Int) -> Int? {
        func seconds(_ day: UInt8, _ hour: UInt8, _ minute: UInt8, _ second: UInt8) -> Int {
            let numbers = [day, hour, minute, second].map { Int($0 >> 4) * 10 + Int($0 & 0x0F) }
            return ((numbers[0] * 24 + numbers[1]) * 60 + numbers[2]) * 60 + numbers[3]
        }
        let alarm = seconds(
            registers[register + 3], registers[register + 2], registers[register + 1], registers[register])
        guard alarm != 0 else { return nil }
        return seconds(clock[.day], clock[.hour], clock[.minute], clock[.second]) - alarm
    }
}
