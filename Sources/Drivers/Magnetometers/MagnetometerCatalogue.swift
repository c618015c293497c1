/// Every magnetometer with a driver, in the order in which a search checks for them.
///
/// Of the chips at one address, that comes first whose identity is in a register that the others lack: at 0x1E the
/// register 0x4F, then 0x0F, then 0x0A to 0x0C. Of two chips with one identity, that comes first which has a further
/// distinguishing mark. Chips that must be written to come last.
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
