/// Every accelerometer that is driven, in the order in which they are asked who they are.
public enum AccelerometerCatalogue {
    public static let chips: [any AccelerometerChip.Type] = [
        LSM303DLHCAccelerometer.self,
        LIS3DH.self,
    ]
}
