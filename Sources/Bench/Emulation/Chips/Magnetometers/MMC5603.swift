/// An emulated MMC5603, from MEMSIC's data sheet MMC5603NJ revision B.
///
/// Of the nine data registers six hold the sixteen high bits of each axis, and three hold, in their high half, the four
/// low bits of each axis. Meas_m_done (0x18 bit 6) falls when TM_M is set and rises after 6.6, 3.5, 2 or 1.2 ms,
/// depending on the bandwidth. The data sheet does not allow TM_M, SET and RESET to be set in one write.
public final class EmulatedMMC5603: EmulatedMEMSIC {
    override public init(scene: SensorScene, isAlignedAfterSet: Bool = false) {
        super.init(scene: scene, isAlignedAfterSet: isAlignedAfterSet)
    }

    override func powerUp() { registers[0x39] = 0x10 }

    override func value(of register: UInt8) -> UInt8 {
        (0x1A...0x1D).contains(register) ? 0 : registers[Int(register)]
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        guard deafness == 0 else { return }
        switch register {
        case 0x1B where value & 0x08 != 0: pulse(isSet: true)
        case 0x1B where value & 0x10 != 0: pulse(isSet: false)
        case 0x1B where value & 0x01 != 0:
            registers[0x18] &= ~0x40
            remaining = [6600, 3500, 2000, 1200][Int(registers[0x1C] & 3)]
        case 0x1C where value & 0x80 != 0:
            registers = [UInt8](repeating: 0, count: 256)
            remaining = nil
            powerUp()
            deafness = 20_000
        case 0x1A, 0x1C, 0x1D: registers[Int(register)] = value
        default: return
        }
    }

    override func conversionEnded() {
        let reading = measure()
        for axis in 0..<3 {
            let counts = offsetCounts(reading[axis], bits: 20)
            registers[2 * axis] = UInt8(counts >> 12)
            registers[2 * axis + 1] = UInt8(counts >> 4 & 0xFF)
            registers[6 + axis] = UInt8(counts & 0x0F) << 4
        }
        registers[0x18] |= 0x40
    }
}
