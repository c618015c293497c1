/// Every magnetometer that is driven, in the order in which they are asked who they are.
///
/// Where chips share an address, the one whose identity is in a register that others do not have comes first: at 0x1E
/// 0x4F, then 0x0F, then 0x0A to 0x0C. The chip with the more particular identity comes before the one with the same but
/// less. Those that must be written to come last.
public enum MagnetometerCatalogue {
    public static let chips: [any MagnetometerChip.Type] = [
        LIS2MDL.self,
        LIS3MDL.self,
        LSM303DLHCMagnetometer.self,
        HMC5883L.self,
        QMC5883L.self,
        QMC5883P.self,
        MMC5603.self,
        MMC5983MA.self,
        IST8310.self,
        RM3100.self,
        AK8963.self,
        AK09916.self,
        BMM150.self,
    ]
}
