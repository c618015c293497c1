internal import Hardware

/// An emulated QMC5883L, from QST's data sheet, revisions 1.0 and A.
///
/// The chip has a standby and a continuous mode. DRDY and DOR fall when a data register is read; DOR rises when a
/// measurement is overwritten unread; OVL rises beyond the range, where the data are at their limit. The identity
/// register reads 0 until register 0x00 has been read once after power-up.
public final class EmulatedQMC5883L: EmulatedRegisterChip {
    /// Whether register 0x00 has been read since power-up; only then does the identity register read its true value.
    public var isFamiliar = false

    public init(scene: SensorScene) { super.init(address: I2CAddress(0x0D), scene: scene) }

    override func powerUp() {
        isFamiliar = false
        registers[0x0C] = 0x01
        registers[0x0D] = 0xFF
    }

    /// If bit 6 of control register 2 is set, the register pointer advances from 6 to 0.
    override func following(_ register: UInt8) -> UInt8 {
        register == 6 && registers[0x0A] & 0x40 != 0 ? 0 : register &+ 1
    }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x0C, 0x0D: isFamiliar ? registers[Int(register)] : 0
        case 0x00...0x0B: registers[Int(register)]
        default: 0
        }
    }

    override func wasRead(_ register: UInt8) {
        if register == 0 { isFamiliar = true }
        if register < 6 { registers[6] &= ~0x05 }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x09:
            registers[9] = value
            remaining = value & 0x03 == 1 ? period : nil
        case 0x0A where value & 0x80 != 0:
            for index in 0...0x0B { registers[index] = 0 }
            remaining = nil
        case 0x0A: registers[0x0A] = value & 0x41
        case 0x0B: registers[0x0B] = value
        default: return
        }
    }

    private var period: Int { [100_000, 20_000, 10_000, 5000][Int(registers[9] >> 2 & 3)] }

    override func conversionEnded() {
        remaining = period
        let scale = registers[9] & 0x30 == 0 ? 12000.0 : 3000.0
        let raw = scene.field() / 100 * scale
        for axis in 0..<3 { storeLittleEndian(counts(raw[axis]), at: UInt8(2 * axis)) }
        let isBeyond = (0..<3).contains { abs(raw[$0]) > 32767 }
        let lost: UInt8 = registers[6] & 0x05 == 0 ? 0 : 0x04
        registers[6] = 1 | (isBeyond ? 2 : 0) | lost
        // The data sheet requires 1 in register 0x0B, the period of the set and reset pulses; with another value the
        // bridge has an offset.
        if registers[0x0B] != 1 { storeLittleEndian(counts(raw.x + 0.5 * scale), at: 0) }
    }
}
