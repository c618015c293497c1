public import Hardware

/// An emulated MPU-6500, MPU-9250 or MPU-9255, from InvenSense's register maps RM-MPU-6500A-00 and RM-MPU-9250A-00.
///
/// After power-up the chip is awake and measures. The data-ready flag is set with each sample. Wake on motion needs
/// ACCEL_INTEL_EN and ACCEL_INTEL_MODE; it compares each sample with the one before, in steps of 4 mg.
public final class EmulatedMPU6500: EmulatedMPU {
    /// The emulated model; its raw value is that of the register WHO_AM_I.
    public enum Identity: UInt8, Sendable {
        case mpu6500 = 0x70
        case mpu9250 = 0x71
        case mpu9255 = 0x73
    }

    private var last: SIMD3<Double>?

    public init(scene: SensorScene, identity: Identity = .mpu6500, address: I2CAddress = I2CAddress(0x68)) {
        super.init(scene: scene, address: address, identity: identity.rawValue)
    }

    /// The values of the registers 0x00 to 0x02 at power-up: the factory's self-test results of the gyroscopes; these
    /// values differ from chip to chip.
    public var gyroscopeSelfTest: [UInt8] = [0, 0, 0] {
        didSet { for axis in 0..<3 { registers[axis] = gyroscopeSelfTest[axis] } }
    }

    override func powerUp() {
        super.powerUp()
        for axis in 0..<3 { registers[axis] = gyroscopeSelfTest[axis] }
    }

    override var initialPower: UInt8 { 0x01 }
    /// The time between samples in microseconds; SMPLRT_DIV has an effect only if the low-pass filter has one of the
    /// codes 1 to 6.
    override var period: Int { (1...6).contains(registers[0x1A] & 7) ? super.period : 1000 }
    override var startTime: Int { 20_000 }
    override var cycleTime: Int {
        let hertz = [0.24, 0.49, 0.98, 1.95, 3.91, 7.81, 15.63, 31.25, 62.5, 125, 250, 500]
        return Int(1e6 / hertz[min(Int(registers[0x1E] & 0x0F), 11)])
    }

    override func judge(_ sample: SIMD3<Double>) {
        let change = last.map { sample - $0 } ?? SIMD3(repeating: 0)
        last = sample
        guard registers[0x69] & 0xC0 == 0xC0 else { return }
        let threshold = Double(registers[0x1F]) * 4
        if max(abs(change.x), abs(change.y), abs(change.z)) > threshold { pulseForMotion() }
    }
}
