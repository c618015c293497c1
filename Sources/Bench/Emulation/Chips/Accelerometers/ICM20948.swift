public import Hardware

/// An emulated ICM-20948, from InvenSense's data sheet DS-000189 revision 1.3.
///
/// The chip has four banks of registers. After power-up it sleeps, in bank 0. While the chip sleeps, or LP_EN is set,
/// only those registers respond that the maker's driver accesses without waking the chip; USER_CTRL can still be read.
/// Samples come at 1125 Hz through the divider, or at 4500 Hz without the low-pass filter. The data-ready flag in
/// INT_STATUS_1 is set with each sample, and pulses the interrupt pin if INT_ENABLE_1 enables it. Wake on motion
/// compares each sample with the one before, in steps of 4 mg.
public final class EmulatedICM20948: EmulatedRegisterChip, EmulatedHostChip {
    /// Called on each pulse of the pin that reports motion.
    public var pulsed: () -> Void = {}
    private var bank = 0
    private var otherBanks = [[UInt8]](repeating: [], count: 3)
    private var last: SIMD3<Double>?

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x68)) {
        super.init(address: address, scene: scene)
    }

    public var isBypassed: Bool { isPresent && registers[0x0F] & 0x02 != 0 && registers[0x03] & 0x20 == 0 }

    override func powerUp() {
        bank = 0
        otherBanks = [[UInt8]](repeating: [UInt8](repeating: 0, count: 128), count: 3)
        otherBanks[1][0x01] = 0x01
        otherBanks[1][0x14] = 0x01
        registers[0x00] = 0xEA
        registers[0x06] = 0x41
        last = nil
    }

    override func following(_ register: UInt8) -> UInt8 { (register + 1) & 0x7F }

    override func value(of register: UInt8) -> UInt8 {
        if register & 0x7F == 0x7F { return UInt8(bank) << 4 }
        if bank == 0, register == 0x03 { return registers[0x03] }
        guard isReached(register) else { return 0 }
        return bank == 0 ? registers[Int(register & 0x7F)] : otherBanks[bank - 1][Int(register & 0x7F)]
    }

    /// Whether a register responds: while the chip sleeps, or LP_EN is set, only the identity, power, pin, interrupt
    /// and bank registers do.
    private func isReached(_ register: UInt8) -> Bool {
        if registers[0x06] & 0x60 == 0 || register & 0x7F == 0x7F { return true }
        return bank == 0 && [0x00, 0x05, 0x06, 0x07, 0x0F, 0x10, 0x19].contains(register)
    }

    override func wasRead(_ register: UInt8) {
        if bank == 0, isReached(register), register == 0x19 || register == 0x1A { registers[Int(register)] = 0 }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        if register == 0x7F {
            bank = Int(value >> 4 & 3)
            return
        }
        guard isReached(register) else { return }
        switch (bank, register) {
        case (0, 0x06) where value & 0x80 != 0: powerCycle()
        case (0, 0x06): setPower(value)
        case (0, 0x07): registers[0x07] = value
        case (0, 0x00), (0, 0x17...0x3A): return
        case (0, _): registers[Int(register)] = value
        default: otherBanks[bank - 1][Int(register)] = value
        }
    }

    private var period: Int {
        let divider = Int(otherBanks[1][0x10] & 0x0F) << 8 | Int(otherBanks[1][0x11])
        let isFiltered = otherBanks[1][0x14] & 1 != 0
        return isFiltered ? 1_000_000 * (divider + 1) / 1125 : 1_000_000 / 4500
    }

    /// Sets the register PWR_MGMT_1; after sleep the accelerometer needs 20 ms to start.
    private func setPower(_ value: UInt8) {
        let wasRunning = remaining != nil
        registers[0x06] = value
        remaining = value & 0x40 != 0 ? nil : wasRunning ? period : 20_000 + period
    }

    override func conversionEnded() {
        remaining = period
        let gravities = scene.acceleration() / 9.80665
        let scale = Double(16384 >> (otherBanks[1][0x14] >> 1 & 3))
        for axis in 0..<3 { storeBigEndian(counts(gravities[axis] * scale), at: UInt8(0x2D + 2 * axis)) }
        registers[0x1A] |= 1
        if registers[0x11] & 1 != 0 { pulsed() }
        judge(gravities * 1000)
    }

    private func judge(_ sample: SIMD3<Double>) {
        let change = last.map { sample - $0 } ?? SIMD3(repeating: 0)
        last = sample
        guard otherBanks[1][0x12] & 3 == 3 else { return }
        guard max(abs(change.x), abs(change.y), abs(change.z)) > Double(otherBanks[1][0x13]) * 4 else { return }
        registers[0x19] |= 0x08
        if registers[0x10] & 0x08 != 0 { pulsed() }
    }
}
