package import Hardware

/// ST's LIS3DH, which is also the accelerometer of the LSM303AGR.
///
/// Source: ST DocID17530, DocID027765.
package struct LIS3DH: LIS3DHFamily {
    package static let model = AccelerometerModel.lis3dh
    package static let addresses = [I2CAddress(0x18), I2CAddress(0x19)]
    package var registers: LIS3DHRegisterFile

    package init(at address: I2CAddress) { registers = LIS3DHRegisterFile(chip: Self.name, address: address) }
}
