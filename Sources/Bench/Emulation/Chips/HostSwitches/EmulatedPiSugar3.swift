public import Hardware
internal import HostSleep
public import SextantUnits

/// An emulated PiSugar 3, from the maker's page "PiSugar3 I2C Datasheet".
///
/// Registers accept values only while the write-protection register holds 0x29. The alarm fires at its time of day on
/// each weekday whose bit is set (bit 0 is Sunday), until the alarm is switched off.
public final class EmulatedPiSugar3: EmulatedHostSwitch {
    private var cutIn: Int?

    public init(at instant: UTCInstant, address: I2CAddress = I2CAddress(0x57), version: String = "1.3.4") {
        super.init(address: address, at: instant)
        registers[0x02] = 0x74
        millivolts = 3900
        registers[0x2A] = 80
        for (index, letter) in version.utf8.prefix(14).enumerated() { registers[0xE2 + index] = letter }
    }

    /// The battery's voltage in millivolts.
    public var millivolts: Int {
        get { Int(registers[0x22]) << 8 | Int(registers[0x23]) }
        set { (registers[0x22], registers[0x23]) = (UInt8(newValue >> 8), UInt8(newValue & 0xFF)) }
    }

    /// Whether an external supply is connected; when it is connected, the host is switched on if the register 0x02
    /// enables this.
    public var hasExternalPower: Bool {
        get { registers[0x02] & 0x80 != 0 }
        set {
            registers[0x02] = newValue ? registers[0x02] | 0x80 : registers[0x02] & 0x7F
            if newValue, registers[0x02] & 0x10 != 0 { turnOn(.power) }
        }
    }

    /// A press of the button.
    public func press() { turnOn(.button) }

    public override func loseAlarm() { registers[0x40] &= 0x7F }
    public override var holdsAlarm: Bool { registers[0x40] & 0x80 != 0 }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x0B: registers[0x0B] == 0x29 ? 1 : 0
        case 0x31: clock[.year]
        case 0x32: clock[.month]
        case 0x33: clock[.day]
        case 0x34: clock[.weekday]
        case 0x35: clock[.hour]
        case 0x36: clock[.minute]
        case 0x37: clock[.second]
        default: registers[Int(register)]
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        guard register == 0x0B || registers[0x0B] == 0x29 else { return }
        switch register {
        case 0x31: clock[.year] = value
        case 0x32: clock[.month] = value
        case 0x33: clock[.day] = value
        case 0x35: clock[.hour] = value
        case 0x36: clock[.minute] = value
        case 0x37: clock[.second] = value
        case 0x02:
            if registers[0x02] & 1 << 5 != 0, value & 1 << 5 == 0 { cutIn = max(1, Int(registers[0x09])) }
            registers[0x02] = value
        default: registers[Int(register)] = value
        }
    }

    override func clockTicked() {
        guard registers[0x40] & 0x80 != 0, registers[0x44] & 1 << clock[.weekday] != 0,
            Array(registers[0x45...0x47]) == [clock[.hour], clock[.minute], clock[.second]]
        else { return }
        turnOn(.alarm)
    }

    override func secondPassed() {
        guard let left = cutIn else { return }
        cutIn = left > 1 ? left - 1 : nil
        if cutIn == nil { cutSupply() }
    }

    private func turnOn(_ cause: WakeCause) {
        registers[0x02] |= 1 << 5
        wakeIfOff(cause)
    }
}
