/// The magnetometers that Sextant reads, by their names in board files.
public enum MagnetometerModel: String, Sendable, Hashable, CaseIterable {
    case hmc5883l
    case qmc5883l
    case qmc5883p
    case lis3mdl
    /// ST's LIS2MDL; the LSM303AGR's magnetometer is the same chip.
    case lis2mdl
    case lsm303dlhc
    /// MEMSIC's MMC5603; the MMC5613 is the same chip in another package.
    case mmc5603
    case mmc5983ma
    case ist8310
    case ak8963
    case ak09916
    case bmm150
    case rm3100

    /// Whether the model has bridges that are magnetised by set and reset pulses, so that a `SetResetPolarity` applies.
    public var hasPolarity: Bool { self == .mmc5603 || self == .mmc5983ma }
}
