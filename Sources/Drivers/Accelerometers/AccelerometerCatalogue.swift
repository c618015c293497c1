/// Every accelerometer that is driven, in the order in which they are asked who they are.
public enum AccelerometerCatalogue {
    public static let chips: [any AccelerometerChip.Type] = [
        LSM303DLHCAccelerometer.self,
        LIS3DH.self,
        ADXL345.self,
        ICM20948.self,
        MPU6050.self,
        MPU6500.self,
        MPU9250.self,
    ]
}
