public import Hardware

/// An emulated IST8310, from iSentek's data sheet version 1.2.
///
/// The data are in a left-handed frame: Z has the opposite sign of a right-handed frame with the same X and Y. DRDY
/// falls when a data register is read; DOR rises when a measurement is overwritten unread. After a single measurement
/// the mode is standby. The reset bit stays set until the chip has started, 50 ms at the longest.
public final class EmulatedIST8310: EmulatedRegisterChip {
    private var comesUpIn: Int?

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x0E)) {
        super.init(address: address, scene: scene)
    }

    override func powerUp() { registers[0x00] = 0x10 }

    override public func pass(microseconds: Int) {
        super.pass(microseconds: microseconds)
        guard let left = comesUpIn, !isStuck else { return }
        comesUpIn = left > microseconds ? left - microseconds : nil
        if comesUpIn == nil { registers[0x0B] &= ~1 }
    }

    override func wasRead(_ register: UInt8) { if (3...8).contains(register) { registers[2] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        guard comesUpIn == nil else { return }
        switch register {
        case 0x0A:
            registers[0x0A] = value & 0x0F
            remaining = value & 0x0F == 1 ? conversionTime : nil
        case 0x0B where value & 1 != 0:
            powerCycle()
            registers[0x0B] = 1
            comesUpIn = 45_000
        case 0x0B...0x0D, 0x41, 0x42: registers[Int(register)] = value
        default: return
        }
    }

    /// The time of one measurement in microseconds, which depends on how many samples are averaged: 6 ms for 16
    /// samples.
    private var conversionTime: Int { [1700, 2200, 2800, 3800, 6000, 6000, 6000, 6000][Int(registers[0x41] & 7)] }

    override func conversionEnded() {
        registers[0x0A] = 0
        let raw = scene.field() / 0.3 * SIMD3(1, 1, -1)
        for axis in 0..<3 { storeLittleEndian(counts(raw[axis]), at: UInt8(3 + 2 * axis)) }
        registers[2] = registers[2] & 1 == 0 ? 0x01 : 0x03
    }
}
