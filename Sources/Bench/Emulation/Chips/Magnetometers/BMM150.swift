public import Hardware

/// An emulated BMM150, from Bosch's data sheet BST-BMM150-DS001.
///
/// After power-up the chip is in suspend mode, where only register 0x4B can be read and written, and all other
/// registers lose their values; 3 ms after the power bit in 0x4B is set the chip is in sleep mode. A forced measurement
/// takes 145 µs for each repetition of X and Y, 500 µs for each repetition of Z, and 980 µs more, and ends in sleep
/// mode. Beyond the measuring range X and Y read −4096, and Z reads −16384. DRDY falls when the data are read.
///
/// The data registers hold raw counts, computed from the field by the inverse of Bosch's compensation with this chip's
/// own trim values.
public final class EmulatedBMM150: EmulatedRegisterChip {
    /// The factory's trim values, with the names that Bosch's formula gives them.
    public struct Trim: Sendable {
        public var x1: Int8 = 2
        public var y1: Int8 = -3
        public var x2: Int8 = 26
        public var y2: Int8 = 25
        public var xy1: UInt8 = 29
        public var xy2: Int8 = -3
        public var xyz1: UInt16 = 6753
        public var z1: UInt16 = 24747
        public var z2: Int16 = 763
        public var z3: Int16 = -120
        public var z4: Int16 = 5

        public init() {}
    }

    public var trim = Trim()
    /// The resistance of the Hall plate, in counts of 14 bits; it follows the temperature.
    public var resistance = 6900
    /// The number of coming readings of the trim registers that the bus corrupts.
    public var spoiltTrimReadings = 0
    private var wakesIn: Int?

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x10)) {
        super.init(address: address, scene: scene)
    }

    private var isAwake: Bool { registers[0x4B] & 1 != 0 && wakesIn == nil }

    override func powerUp() {
        wakesIn = nil
        registers[0x4C] = 0x06
    }

    override public func pass(microseconds: Int) {
        super.pass(microseconds: microseconds)
        if let left = wakesIn { wakesIn = left > microseconds ? left - microseconds : nil }
    }

    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x4B: registers[0x4B]
        case 0x40: isAwake ? 0x32 : 0
        case 0x5D...0x71: isAwake ? trimBytes[Int(register) - 0x5D] : 0
        default: isAwake ? registers[Int(register)] : 0
        }
    }

    override func wasRead(_ register: UInt8) {
        if register == 0x49 { registers[0x48] &= ~1 }
        if register == 0x71, spoiltTrimReadings > 0 { spoiltTrimReadings -= 1 }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x4B:
            let wasOn = registers[0x4B] & 1 != 0
            if value & 0x82 == 0x82 || value & 1 == 0 { powerCycle() }
            registers[0x4B] = value & 1
            if value & 1 != 0, !wasOn { wakesIn = 3000 }
        case 0x4C where isAwake:
            registers[0x4C] = value
            if value >> 1 & 3 == 1 { remaining = conversionTime }
        case 0x4D...0x52 where isAwake: registers[Int(register)] = value
        default: return
        }
    }

    private var conversionTime: Int {
        145 * (2 * Int(registers[0x51]) + 1) + 500 * (Int(registers[0x52]) + 1) + 980
    }

    override func conversionEnded() {
        registers[0x4C] |= 0x06
        let raw = counts(of: scene.field())
        let x = abs(raw.x) > 4095 ? -4096 : Int(raw.x)
        let y = abs(raw.y) > 4095 ? -4096 : Int(raw.y)
        let z = abs(raw.z) > 16383 ? -16384 : Int(raw.z)
        storeLittleEndian(x * 8, at: 0x42)
        storeLittleEndian(y * 8, at: 0x44)
        storeLittleEndian(z * 2, at: 0x46)
        registers[0x48] = UInt8(resistance & 0x3F) << 2 | 1
        registers[0x49] = UInt8(resistance >> 6 & 0xFF)
    }

    /// The raw counts that a field gives, by the inverse of Bosch's compensation formula, whose result has 16 counts
    /// per microtesla.
    private func counts(of field: SIMD3<Double>) -> SIMD3<Double> {
        let (hall, reference) = (Double(resistance), Double(trim.xyz1))
        let ratio = (reference / hall - 1) * 16384
        let sensitivity = 256 + ratio / 16384 * Double(trim.xy1) + ratio * ratio / 268_435_456 * Double(trim.xy2)
        let divisor = Double(trim.z2) + Double(trim.z1) * hall / 32768
        let raw = SIMD3(
            (16 * field.x - 8 * Double(trim.x1)) * 8192 / (sensitivity * (Double(trim.x2) + 160)),
            (16 * field.y - 8 * Double(trim.y1)) * 8192 / (sensitivity * (Double(trim.y2) + 160)),
            (64 * field.z * divisor + Double(trim.z3) * (hall - reference)) / 131_072 + Double(trim.z4))
        return raw.rounded(.toNearestOrEven)
    }

    /// The bytes of the trim registers, 0x5D to 0x71.
    private var trimBytes: [UInt8] {
        let reference = spoiltTrimReadings > 0 ? trim.xyz1 ^ UInt16(spoiltTrimReadings) : trim.xyz1
        func pair(_ value: UInt16) -> [UInt8] { [UInt8(value & 0xFF), UInt8(value >> 8)] }
        var bytes: [UInt8] = [UInt8(bitPattern: trim.x1), UInt8(bitPattern: trim.y1), 0, 0, 0]
        bytes += pair(UInt16(bitPattern: trim.z4)) + [UInt8(bitPattern: trim.x2), UInt8(bitPattern: trim.y2), 0, 0]
        bytes += pair(UInt16(bitPattern: trim.z2)) + pair(trim.z1) + pair(reference)
        bytes += pair(UInt16(bitPattern: trim.z3)) + [UInt8(bitPattern: trim.xy2), trim.xy1]
        return bytes
    }
}
