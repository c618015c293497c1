/// Every accelerometer with a driver, in the order in which a search checks for them.
///
/// The ICM-20948, which shares its addresses with the MPUs, comes last, because its identification can need a write,
/// while the MPUs are identified without one.
public enum AccelerometerCatalogue {
    public static let chips: [any AccelerometerChip.Type] = [
        LSM303DLHCAccelerometer.self,
        LIS3DH.self,
        ADXL345.self,
        MPU6050.self,
        MPU6500.self,
        MPU9250.self,
        ICM20948.self,
    ]
}
