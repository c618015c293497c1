public import Hardware

/// An emulated RM3100, from PNI's user manual, document 1017252.
///
/// With a cycle count of 200 an axis takes 1/430 s and gives 75 counts per microtesla; 100 cycles give 38 and 50 cycles
/// 20. DRDY falls when the first result is read, or when any register is written. While bit 7 of BIST is set, a poll
/// measures nothing. No flag reports a field beyond the range.
public final class EmulatedRM3100: EmulatedRegisterChip {
    private var axes: UInt8 = 0

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x20)) {
        super.init(address: address, scene: scene)
    }

    override func powerUp() {
        registers[0x05] = 0xC8
        registers[0x07] = 0xC8
        registers[0x09] = 0xC8
        registers[0x0B] = 0x96
        registers[0x35] = 0x1B
        registers[0x36] = 0x22
    }

    override func wasRead(_ register: UInt8) { if register == 0x24 { registers[0x34] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        registers[0x34] = 0
        switch register {
        case 0x00:
            axes = value >> 4 & 7
            remaining = axes == 0 ? nil : conversionTime
        case 0x01:
            registers[0x01] = value
            axes = value >> 4 & 7
            remaining = value & 1 != 0 && axes != 0 ? period : nil
        case 0x04...0x09, 0x0B, 0x33: registers[Int(register)] = value
        default: return
        }
    }

    private func cycles(_ axis: Int) -> Int { Int(registers[4 + 2 * axis]) << 8 | Int(registers[5 + 2 * axis]) }

    private var conversionTime: Int {
        (0..<3).filter { axes & 1 << $0 != 0 }.map { 1_000_000 * cycles($0) / (430 * 200) }.reduce(0, +)
    }

    private var period: Int { max(conversionTime, (1_000_000 >> 11) << Int(registers[0x0B] & 0x0F)) }

    private func gain(_ axis: Int) -> Double {
        switch cycles(axis) {
        case 200: 75
        case 100: 38
        case 50: 20
        default: 0.3671 * Double(cycles(axis)) + 1.5
        }
    }

    override func conversionEnded() {
        if registers[0x01] & 1 != 0 { remaining = period }
        registers[0x34] = 0x80
        guard registers[0x33] & 0x80 == 0 else { return }
        let field = scene.field()
        for axis in 0..<3 where axes & 1 << axis != 0 {
            let counts = Int(min(max((field[axis] * gain(axis)).rounded(), -8_388_608), 8_388_607))
            registers[0x24 + 3 * axis] = UInt8(counts >> 16 & 0xFF)
            registers[0x25 + 3 * axis] = UInt8(counts >> 8 & 0xFF)
            registers[0x26 + 3 * axis] = UInt8(counts & 0xFF)
        }
    }
}
