/// Every magnetometer with a driver, in the order in which their identities are checked.
///
/// Where chips share an address, the chip whose identity is in a register that the others lack comes first: at 0x1E the
/// register 0x4F, then 0x0F, then 0x0A to 0x0C. Where two chips share an identity, the chip that has a further
/// distinguishing mark comes first. Chips that must be written to come last.
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
