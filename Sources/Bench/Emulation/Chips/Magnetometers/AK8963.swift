public import Hardware

/// An emulated AK8963, by itself or in the package of an MPU-9250, from AKM's data sheet MS1356-E.
///
/// The factory's sensitivity adjustment can be read only in fuse ROM mode. In the MPU-9250's package the magnetometer
/// die's X axis is along the accelerometer's Y, its Y axis along the accelerometer's X, and its Z axis is opposite to
/// the accelerometer's Z (InvenSense PS-MPU-9250A-01, figure of the compass's axes).
public final class EmulatedAK8963: EmulatedAKM {
    /// The factory's sensitivity adjustment of each axis (ASA).
    public var adjustment: [UInt8] = [176, 177, 166]

    override public init(
        scene: SensorScene, host: (any EmulatedHostChip)? = nil, address: I2CAddress = I2CAddress(0x0C)
    ) {
        super.init(scene: scene, host: host, address: address)
    }

    override func powerUp() {
        registers[0x00] = 0x48
        registers[0x01] = 0x9A
    }

    override func atDie(_ field: SIMD3<Double>) -> SIMD3<Double> { SIMD3(field.y, field.x, -field.z) }

    /// Microtesla per count for each axis: 0.15 at 16 bits and 0.6 at 14 bits, times the axis's factor (ASA − 128) /
    /// 256 + 1.
    override var steps: SIMD3<Double> {
        let step = registers[0x0A] & 0x10 != 0 ? 0.15 : 0.6
        let factors = adjustment.map { (Double($0) - 128) / 256 + 1 }
        return SIMD3(factors[0], factors[1], factors[2]) * step
    }

    /// Bit 4 of status register 2 repeats the output width (14 or 16 bits) from the control register.
    override func value(of register: UInt8) -> UInt8 {
        switch register {
        case 0x09: registers[0x09] | registers[0x0A] & 0x10
        case 0x10...0x12: registers[0x0A] & 0x0F == 0x0F ? adjustment[Int(register) - 0x10] : 0
        default: registers[Int(register)]
        }
    }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x0A:
            setMode(value & 0x0F)
            registers[0x0A] = value & 0x1F
        case 0x0B where value & 1 != 0: powerCycle()
        default: return
        }
    }
}
