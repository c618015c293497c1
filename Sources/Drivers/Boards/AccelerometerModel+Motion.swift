public import Accelerometers

extension AccelerometerModel {
    /// The motion thresholds that the driver can set.
    ///
    /// Unit: m/s².
    public var motionThresholds: ClosedRange<Double> {
        switch self {
        // 1 to 127 steps of 16 mg.
        case .lis3dh, .lsm303dlhc: 0.156...19.93
        // One step of 62.5 mg and more.
        case .adxl345: 0.612...20
        // One step of 32 mg up to ±2 g.
        case .mpu6050: 0.313...19.62
        // Up to 255 steps of 4 mg.
        case .mpu6500, .mpu9250, .icm20948: 0.05...10.01
        }
    }

    /// The longest duration of motion that the driver can set.
    ///
    /// For a chip without a register for it, this is the longest interval between samples that the driver can choose; 0
    /// if the interval is fixed. Unit: seconds.
    public var longestMotionDuration: Double {
        switch self {
        case .lis3dh, .lsm303dlhc: 10
        case .mpu6050: 0.2
        case .mpu6500, .mpu9250: 0.1
        case .adxl345, .icm20948: 0
        }
    }
}
