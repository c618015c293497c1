/// The accelerometers that Sextant reads, by their names in board files.
public enum AccelerometerModel: String, Sendable, Hashable, CaseIterable {
    /// The accelerometer of the LSM303DLHC; the one of the LSM303AGR is named `lis3dh`, because its driver is that of
    /// the LIS3DH.
    case lsm303dlhc
    case lis3dh
    case mpu6050
    case mpu6500
    case mpu9250
    case icm20948
    case adxl345
}
