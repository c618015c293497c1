internal import Hardware

/// What the emulated accelerometers of InvenSense's with one bank of registers have in common.
///
/// After sleep the first sample comes when the chip has started, then one each period: 1 ms times SMPLRT_DIV + 1;
/// cycling, one each time that it wakes. Asleep nothing is measured, and the data stay what they were. Registers can be written asleep.
public class EmulatedMPU: EmulatedRegisterChip, EmulatedHostChip {
    /// Told of each pulse on the pin that tells of motion.
    public var pulsed: () -> Void = {}
    private let identity: UInt8

    init(scene: SensorScene, address: I2CAddress, identity: UInt8) {
        self.identity = identity
        super.init(address: address, scene: scene)
    }

    public var isBypassed: Bool { isPresent && registers[0x37] & 0x02 != 0 && registers[0x6A] & 0x20 == 0 }

    /// PWR_MGMT_1 at power-up.
    var initialPower: UInt8 { 0x40 }
    /// Unit: microseconds.
    var startTime: Int { 30_000 }
    /// The time from one waking to the next while cycling.
    ///
    /// Unit: microseconds.
    var cycleTime: Int { 1000 }
    /// The time from one sample to the next awake.
    ///
    /// Unit: microseconds.
    var period: Int { 1000 * (Int(registers[0x19]) + 1) }
    /// What each sample is compared with: told of each in milligravities.
    func judge(_ sample: SIMD3<Double>) {}

    override func powerUp() {
        registers[0x75] = identity
        setPower(initialPower)
    }

    override func wasRead(_ register: UInt8) { if register == 0x3A { registers[0x3A] = 0 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x6B where value & 0x80 != 0: powerCycle()
        case 0x6B: setPower(value)
        case 0x3A...0x60, 0x75: return
        default: registers[Int(register)] = value
        }
    }

    private func setPower(_ value: UInt8) {
        let wasRunning = remaining != nil
        registers[0x6B] = value
        if value & 0x40 != 0 {
            remaining = nil
        } else if value & 0x20 != 0 {
            remaining = cycleTime
        } else {
            remaining = wasRunning ? period : startTime + period
        }
    }

    override func conversionEnded() {
        remaining = registers[0x6B] & 0x20 != 0 ? cycleTime : period
        let gravities = scene.acceleration() / 9.80665
        let scale = Double(16384 >> (registers[0x1C] >> 3 & 3))
        for axis in 0..<3 { storeBigEndian(counts(gravities[axis] * scale), at: UInt8(0x3B + 2 * axis)) }
        noteData()
        judge(gravities * 1000)
    }

    /// Sets the mark of fresh data.
    func noteData() { registers[0x3A] |= 1 }

    func pulseForMotion() {
        registers[0x3A] |= 0x40
        if registers[0x38] & 0x40 != 0 { pulsed() }
    }
}
