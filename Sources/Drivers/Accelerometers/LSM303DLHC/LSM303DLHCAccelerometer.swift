package import Hardware

/// The accelerometer of ST's LSM303DLHC.
///
/// Source: ST DocID018771, which names no identity register. In Linux's driver the chip has the LIS3DH's identity, 0x33
/// at 0x0F. So the LSM303DLHC is recognised by its magnetometer, which answers at 0x1E.
package struct LSM303DLHCAccelerometer: LIS3DHFamily {
    package static let model = AccelerometerModel.lsm303dlhc
    package static let addresses = [I2CAddress(0x19)]
    package var registers: LIS3DHRegisterFile

    package init(at address: I2CAddress) { registers = LIS3DHRegisterFile(chip: Self.name, address: address) }

    package static func isLikely(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(BusError) -> Bool {
        do {
            let found = try bus.read(3, from: 0x0A, at: I2CAddress(0x1E))
            return (found[0], found[1], found[2]) == (0x48, 0x34, 0x33)
        } catch  where error.kind == .noAcknowledge {
            return false
        } catch  where error.kind == .busy {
            // A kernel driver holds address 0x1E, so the magnetometer there cannot be identified. Even if it is the
            // LIS2MDL of an LSM303AGR, this driver works with the accelerometer.
            return true
        }
    }
}
