public import Hardware

/// An emulated MPU-6050, from InvenSense's register map RM-MPU-6000A-00 and product specification PS-MPU-6000A-00.
///
/// After power-up the chip sleeps. The data-ready flag is set only if its interrupt is enabled. To detect motion, the
/// chip subtracts from each sample the value that the high-pass filter holds, and compares the difference with MOT_THR,
/// in steps of 32 mg; MOT_DUR samples must exceed MOT_THR. While the filter is in reset the difference is 0.
public final class EmulatedMPU6050: EmulatedMPU {
    private var last = SIMD3<Double>(repeating: 0)
    private var held: SIMD3<Double>?
    private var exceeding = 0

    public init(scene: SensorScene, address: I2CAddress = I2CAddress(0x68)) {
        super.init(scene: scene, address: address, identity: 0x68)
    }

    override var cycleTime: Int { [800_000, 200_000, 50_000, 25_000][Int(registers[0x6C] >> 6)] }

    override func noteData() { if registers[0x38] & 1 != 0 { registers[0x3A] |= 1 } }

    override func accept(_ value: UInt8, in register: UInt8) {
        super.accept(value, in: register)
        if register == 0x1C { held = value & 7 == 7 ? last : nil }
    }

    override func judge(_ sample: SIMD3<Double>) {
        last = sample
        let change = held.map { sample - $0 } ?? SIMD3(repeating: 0)
        let threshold = Double(registers[0x1F]) * 32
        let exceeds = max(abs(change.x), abs(change.y), abs(change.z)) > threshold
        exceeding = exceeds ? exceeding + 1 : 0
        if exceeds, exceeding >= Int(registers[0x20]) { pulseForMotion() }
    }
}
