public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated Witty Pi 5 HAT+, from UUGear's Witty-Pi-5-Firmware, version 1.4.
///
/// When the host powers off, the firmware copies the alarm to the clock chip, and only that copy fires. The alarm is
/// not copied while a schedule is in use, or if the clock's weekday does not have exactly one bit set.
public final class EmulatedWittyPi5: EmulatedHostSwitch {
    private var cutIn: Int?
    /// Whether exactly one bit of the clock's weekday register is set; only then does the clock advance the weekday.
    private var isWeekdayOneBit = true
    /// The alarm that was copied to the clock chip, as second, minute, hour and day.
    private var alarm: [UInt8] = [0, 0, 0, 0]

    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x51)) {
        super.init(address: address, at: instant)
        registers[0x00] = 0x51
        registers[0x01] = 1
        registers[0x02] = 4
        millivolts = 7400
        registers[0x0D] = 2
        registers[0x12] = 15
    }

    /// The minor version of the firmware.
    public var minorVersion: UInt8 {
        get { registers[0x02] }
        set { registers[0x02] = newValue }
    }

    /// The input's voltage in millivolts.
    public var millivolts: Int {
        get { Int(registers[0x05]) << 8 | Int(registers[0x06]) }
        set { (registers[0x05], registers[0x06]) = (UInt8(newValue >> 8), UInt8(newValue & 0xFF)) }
    }

    /// Whether a power schedule of the maker's software is in use.
    public var hasSchedule: Bool {
        get { registers[0x0F] & 1 != 0 }
        set { registers[0x0F] = newValue ? 1 : 0 }
    }

    /// A press of the button.
    public func press() { if !isHostOn { turnOn(.button, reason: 3) } }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x53: isWeekdayOneBit ? 1 << clock[.weekday] : registers[0x53]
        case 0x50...0x56: EmulatedClock.Field(rawValue: Int(register) - 0x50).map { clock[$0] } ?? 0
        case 0x58...0x5A: alarm[Int(register) - 0x57]
        case 0x5E: clock.isStopped ? 1 << 1 : 0
        default: registers[Int(register)]
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x00..<0x10, 0x58...0x5A: return
        case 0x53:
            registers[0x53] = value
            isWeekdayOneBit = value.nonzeroBitCount == 1 && value < 0x80
        case 0x50...0x56: if let field = EmulatedClock.Field(rawValue: Int(register) - 0x50) { clock[field] = value }
        case 0x5E: clock.isStopped = value & 1 << 1 != 0
        case 0x47:
            registers[0x47] = value
            guard value == 2 else { return }
            registers[0x0D] = 3
            let isTaken = isWeekdayOneBit && registers[0x0F] & 1 == 0
            alarm = isTaken ? Array(registers[0x20...0x23]) : [0, 0, 0, 0]
            cutIn = max(1, Int(registers[0x12]))
        default: registers[Int(register)] = value
        }
    }

    override func clockTicked() {
        guard !isHostOn, alarm[3] != 0, alarm == [clock[.second], clock[.minute], clock[.hour], clock[.day]] else {
            return
        }
        turnOn(.alarm, reason: 1)
    }

    override func secondPassed() {
        guard let left = cutIn else { return }
        cutIn = left > 1 ? left - 1 : nil
        guard cutIn == nil else { return }
        registers[0x0D] = 0
        cutSupply()
    }

    private func turnOn(_ cause: WakeCause, reason: UInt8) {
        registers[0x0D] = 2
        registers[0x0E] = reason << 4
        wakeHost(cause)
    }
}
