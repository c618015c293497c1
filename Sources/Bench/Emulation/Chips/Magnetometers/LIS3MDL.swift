public import Hardware

/// An emulated LIS3MDL, from ST's data sheet DocID024204 and application note AN4602.
///
/// The register pointer advances only where bit 7 of the sub-address is set. After power-up the chip is in power-down
/// mode. ZYXDA and ZYXOR fall when the data are read; with block data update on, a value is not replaced between the
/// reads of its two bytes.
public final class EmulatedLIS3MDL: EmulatedRegisterChip {
    private var moves = false

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x1C)) {
        super.init(address: address, scene: scene)
    }

    override func powerUp() {
        registers[0x0F] = 0x3D
        registers[0x20] = 0x10
        registers[0x22] = 0x03
    }

    override func select(_ register: UInt8) {
        moves = register & 0x80 != 0
        pointer = register & 0x7F
    }

    override func following(_ register: UInt8) -> UInt8 { moves ? (register + 1) & 0x7F : register }

    /// Clears the flags ZYXDA and ZYXOR when the high byte of Z is read.
    override func wasRead(_ register: UInt8) { if register == 0x2D { registers[0x27] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x21 where value & 0x0C != 0:
            let identity = registers[0x0F]
            for index in 0x20...0x2D { registers[index] = 0 }
            registers[0x0F] = identity
            registers[0x20] = 0x10
            registers[0x22] = 0x03
            remaining = nil
        case 0x20, 0x21, 0x23, 0x24: registers[Int(register)] = value
        case 0x22:
            registers[0x22] = value
            remaining = value & 0x02 == 0 ? conversionTime : nil
        default: return
        }
    }

    /// The time of one measurement in microseconds, for each performance mode of X and Y: low power, medium, high,
    /// ultra-high.
    private var conversionTime: Int { [1000, 1800, 3300, 6500][Int(registers[0x20] >> 5 & 3)] }

    private var period: Int {
        let hertz = [0.625, 1.25, 2.5, 5, 10, 20, 40, 80]
        return registers[0x20] & 2 != 0 ? conversionTime : Int(1e6 / hertz[Int(registers[0x20] >> 2 & 7)])
    }

    override func conversionEnded() {
        if registers[0x22] & 3 == 1 { registers[0x22] |= 3 } else { remaining = period }
        let scale = [6842.0, 3421, 2281, 1711][Int(registers[0x21] >> 5 & 3)]
        let raw = scene.field() / 100 * scale
        for axis in 0..<3 { storeLittleEndian(counts(raw[axis]), at: UInt8(0x28 + 2 * axis)) }
        registers[0x27] = registers[0x27] & 0x08 == 0 ? 0x0F : 0xFF
    }
}
