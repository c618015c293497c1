internal import Hardware

/// What the emulated accelerometers by InvenSense with a single bank of registers have in common.
///
/// After sleep the first sample comes when the chip has started, and then one in each period of 1 ms times (SMPLRT_DIV
/// + 1). In cycle mode one sample comes each time the chip wakes. While asleep the chip measures nothing and keeps its
/// data, and its registers can still be written.
public class EmulatedMPU: EmulatedRegisterChip, EmulatedHostChip {
    /// Called on each pulse of the pin that reports motion.
    public var pulsed: () -> Void = {}
    private let identity: UInt8

    init(scene: SensorScene, address: I2CAddress, identity: UInt8) {
        self.identity = identity
        super.init(address: address, scene: scene)
    }

    public var isBypassed: Bool { isPresent && registers[0x37] & 0x02 != 0 && registers[0x6A] & 0x20 == 0 }

    /// The value of PWR_MGMT_1 at power-up.
    var initialPower: UInt8 { 0x40 }
    /// The time that the accelerometer needs to start after sleep.
    ///
    /// Unit: microseconds.
    var startTime: Int { 30_000 }
    /// The time from one wake-up to the next in cycle mode.
    ///
    /// Unit: microseconds.
    var cycleTime: Int { 1000 }
    /// The time from one sample to the next while the chip is awake.
    ///
    /// Unit: microseconds.
    var period: Int { 1000 * (Int(registers[0x19]) + 1) }
    /// Checks a sample, in milligravities, for motion; called with each sample.
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

    /// Sets the data-ready flag.
    func noteData() { registers[0x3A] |= 1 }

    func pulseForMotion() {
        registers[0x3A] |= 0x40
        if registers[0x38] & 0x40 != 0 { pulsed() }
    }
}
