/// The accelerometers that Sextant reads, by the name that a board file gives them.
public enum AccelerometerModel: String, Sendable, Hashable, CaseIterable {
    /// The accelerometer half of the LSM303DLHC; that of the LSM303AGR is a `lis3dh` in all that is used here.
    case lsm303dlhc
    case lis3dh
    case mpu6050
    case mpu6500
    case mpu9250
    case icm20948
    case adxl345
}
