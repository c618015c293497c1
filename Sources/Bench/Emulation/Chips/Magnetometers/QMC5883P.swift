internal import Hardware

/// An emulated QMC5883P, from QST's data sheet 13-52-19.
///
/// The modes are suspend, normal, single (after which the chip returns to suspend) and continuous. DRDY and OVFL fall
/// when the status register is read. Register 0x29 holds the signs of the axes: with 6, the value in the data sheet's
/// examples, the axes have the signs of the package's drawing.
public final class EmulatedQMC5883P: EmulatedRegisterChip {
    /// The time of one measurement at the highest oversampling ratios.
    ///
    /// Unit: microseconds.
    public var conversionTime = 4500

    public init(scene: SensorScene) { super.init(address: I2CAddress(0x2C), scene: scene) }

    override func powerUp() {
        registers[0x00] = 0x80
        registers[0x29] = 0x00
    }

    override func wasRead(_ register: UInt8) { if register == 9 { registers[9] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x0A:
            registers[0x0A] = value
            remaining = value & 3 == 0 ? nil : value & 3 == 2 ? conversionTime : period
        case 0x0B where value & 0x80 != 0:
            for index in 1...0x0B { registers[index] = 0 }
            registers[0x29] = 0
            remaining = nil
        case 0x0B: registers[0x0B] = value & 0x4F
        case 0x29: registers[0x29] = value
        default: return
        }
    }

    private var period: Int { [100_000, 20_000, 10_000, 5000][Int(registers[0x0A] >> 2 & 3)] }

    override func conversionEnded() {
        if registers[0x0A] & 3 == 2 { registers[0x0A] &= ~3 } else { remaining = period }
        let scale = [1000.0, 2500, 3750, 15000][Int(registers[0x0B] >> 2 & 3)]
        // Bits 1 and 2 of register 0x29 invert Y and Z; if both are 0, the axes are turned by 180° about X against the
        // package's drawing.
        let turn: SIMD3<Double> = registers[0x29] == 0x06 ? SIMD3(1, 1, 1) : SIMD3(1, -1, -1)
        let raw = scene.field() / 100 * scale * turn
        for axis in 0..<3 { storeLittleEndian(counts(raw[axis]), at: UInt8(1 + 2 * axis)) }
        registers[9] = 1 | ((0..<3).contains { abs(raw[$0]) > 32767 } ? 2 : 0)
    }
}
