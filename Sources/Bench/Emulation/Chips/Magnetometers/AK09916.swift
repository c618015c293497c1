internal import Hardware

/// An emulated AK09916, by itself or in the package of an ICM-20948, from AKM's data sheet 016014242-E.
///
/// In the ICM-20948's package the magnetometer die's Y and Z axes are opposite to the accelerometer's (InvenSense
/// DS-000189, figure of the magnetometer's axes).
public final class EmulatedAK09916: EmulatedAKM {
    public init(scene: SensorScene, host: (any EmulatedHostChip)? = nil) {
        super.init(scene: scene, host: host, address: I2CAddress(0x0C))
    }

    override var layout: Layout { Layout(status1: 0x10, status2: 0x18, mode: 0x31) }

    override func powerUp() {
        registers[0x00] = 0x48
        registers[0x01] = 0x09
    }

    override func atDie(_ field: SIMD3<Double>) -> SIMD3<Double> { SIMD3(field.x, -field.y, -field.z) }

    override func accept(_ value: UInt8, in register: UInt8) {
        switch register {
        case 0x31:
            setMode(value & 0x1F)
            registers[0x31] = value & 0x1F
        case 0x32 where value & 1 != 0: powerCycle()
        default: return
        }
    }
}
