/// An emulated MMC5983MA, from MEMSIC's data sheet revision A.
///
/// Of the seven data registers six hold the sixteen high bits of each axis, and the last one holds the two low bits of
/// each axis, from bit 7 down. Meas_M_Done (0x08 bit 0) falls when TM_M is set and rises after 8, 4, 2 or 0.5 ms,
/// depending on the bandwidth; OTP_Rd_Done (bit 4) falls at a reset and rises when the chip has read its trim values.
/// The registers 0x09 to 0x0C cannot be read.
public final class EmulatedMMC5983MA: EmulatedMEMSIC {
    /// Whether the chip fails to read its factory trim values.
    public var hasBadTrim = false

    override public init(scene: SensorScene, isAlignedAfterSet: Bool = false) {
        super.init(scene: scene, isAlignedAfterSet: isAlignedAfterSet)
    }

    override var limit: Double { 1600 }

    override func powerUp() {
        registers[0x2F] = 0x30
        registers[0x08] = hasBadTrim ? 0x00 : 0x10
    }

    override func value(of register: UInt8) -> UInt8 {
        (0x09...0x0C).contains(register) ? 0 : registers[Int(register)]
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        guard deafness == 0 else { return }
        switch register {
        case 0x09 where value & 0x40 != 0: if !hasBadTrim { registers[0x08] |= 0x10 }
        case 0x09 where value & 0x08 != 0: pulse(isSet: true)
        case 0x09 where value & 0x10 != 0: pulse(isSet: false)
        case 0x09 where value & 0x01 != 0:
            registers[0x08] &= ~0x01
            remaining = [8000, 4000, 2000, 500][Int(registers[0x0A] & 3)]
        case 0x0A where value & 0x80 != 0:
            registers = [UInt8](repeating: 0, count: 256)
            remaining = nil
            powerUp()
            registers[0x08] = 0
            deafness = 10_000
        case 0x0A...0x0C: registers[Int(register)] = value
        default: return
        }
    }

    override func conversionEnded() {
        let reading = measure()
        registers[6] = 0
        for axis in 0..<3 {
            let counts = offsetCounts(reading[axis], bits: 18)
            registers[2 * axis] = UInt8(counts >> 10)
            registers[2 * axis + 1] = UInt8(counts >> 2 & 0xFF)
            registers[6] |= UInt8(counts & 3) << (6 - 2 * axis)
        }
        registers[0x08] |= 0x01
    }
}
