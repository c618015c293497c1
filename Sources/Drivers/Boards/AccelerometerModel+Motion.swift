public import Accelerometers

/// What each accelerometer's driver can have it watch for.
extension AccelerometerModel {
    /// The thresholds between the least and the most steps of its register, where it measures as much.
    ///
    /// Unit: m/s².
    public var motionThresholds: ClosedRange<Double> {
        switch self {
        // 1 to 127 steps of 16 mg.
        case .lis3dh, .lsm303dlhc: 0.156...19.93
        // From one step of 62.5 mg on.
        case .adxl345: 0.612...20
        // From one step of 32 mg on, and up to ±2 g.
        case .mpu6050: 0.313...19.62
        // Up to 255 steps of 4 mg.
        case .mpu6500, .mpu9250, .icm20948: 0.05...10.01
        }
    }

    /// How long it can be told that motion must last, at the longest: a count, or the time from sample to sample.
    ///
    /// Unit: seconds.
    public var longestMotionDuration: Double {
        switch self {
        case .lis3dh, .lsm303dlhc: 10
        case .mpu6050: 0.2
        case .mpu6500, .mpu9250: 0.1
        case .adxl345, .icm20948: 0
        }
    }
}
