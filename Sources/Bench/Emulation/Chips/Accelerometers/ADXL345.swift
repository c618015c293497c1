public import Hardware

/// An emulated ADXL345, from Analog Devices' data sheet revision E.
///
/// After power-up the chip is in standby. The first sample comes 1.1 ms and a sample period after measuring begins.
/// DATA_READY is set whether or not its interrupt is enabled. OVERRUN reports that a sample was overwritten before it
/// was read. Both flags fall when a data register is read. OFSX to OFSZ are added in steps of 15.6 mg. AC-coupled
/// activity compares each sample with the first one after measuring began; its flag stays until INT_SOURCE is read.
public final class EmulatedADXL345: EmulatedRegisterChip {
    /// The level of the pin INT1.
    public private(set) var interruptLevel = false
    /// Called with the new level when the level of the pin INT1 changes.
    public var interruptChanged: (Bool) -> Void = { _ in }
    private var reference: SIMD3<Double>?

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x53)) {
        super.init(address: address, scene: scene)
    }

    override func powerUp() {
        registers[0x00] = 0xE5
        registers[0x2C] = 0x0A
        registers[0x30] = 0x02
        reference = nil
        drive()
    }

    override func wasRead(_ register: UInt8) {
        if (0x32...0x37).contains(register) { registers[0x30] &= ~0x81 }
        if register == 0x30 { registers[0x30] &= ~0x10 }
        drive()
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        guard (0x1D...0x2F).contains(register) || register == 0x31 || register == 0x38, register != 0x2B else { return }
        let wasMeasuring = registers[0x2D] & 8 != 0
        registers[Int(register)] = value
        let measures = registers[0x2D] & 8 != 0
        if measures != wasMeasuring {
            reference = nil
            remaining = measures ? period + 1100 : nil
        }
        drive()
    }

    /// The sample period in microseconds: rate code 15 in BW_RATE means 3200 Hz, and each lower code half the rate of
    /// the code above.
    private var period: Int { 1_000_000 * (1 << (15 - Int(registers[0x2C] & 0x0F))) / 3200 }

    override func conversionEnded() {
        remaining = period
        let offsets = SIMD3((0..<3).map { Double(Int8(bitPattern: registers[0x1E + $0])) * 0.0156 })
        let gravities = scene.acceleration() / 9.80665 + offsets
        let range = Int(registers[0x31] & 3)
        let isFull = registers[0x31] & 8 != 0
        let (scale, bits) = isFull ? (256.0, 10 + range) : (Double(256 >> range), 10)
        let limit = Double(1 << (bits - 1))
        for axis in 0..<3 {
            let counts = min(max((gravities[axis] * scale).rounded(), -limit), limit - 1)
            storeLittleEndian(Int(counts), at: UInt8(0x32 + 2 * axis))
        }
        registers[0x30] |= registers[0x30] & 0x80 == 0 ? 0x80 : 0x81
        judge(gravities * 1000)
        drive()
    }

    private func judge(_ sample: SIMD3<Double>) {
        guard registers[0x27] & 0x70 != 0 else { return }
        let isCoupledToChange = registers[0x27] & 0x80 != 0
        let base = isCoupledToChange ? reference ?? sample : SIMD3(repeating: 0)
        if reference == nil { reference = sample }
        let threshold = Double(registers[0x24]) * 62.5
        let exceeds = (0..<3).contains {
            registers[0x27] & 0x40 >> $0 != 0 && abs(sample[$0] - base[$0]) > threshold
        }
        if exceeds { registers[0x30] |= 0x10 }
    }

    /// Sets the level of the pin INT1: high if an interrupt is pending that is enabled and not mapped to INT2.
    private func drive() {
        let level = registers[0x30] & registers[0x2E] & ~registers[0x2F] != 0
        guard level != interruptLevel else { return }
        interruptLevel = level
        interruptChanged(level)
    }
}
