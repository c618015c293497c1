/// The magnetometers that Sextant reads, by the name that a board file gives them.
public enum MagnetometerModel: String, Sendable, Hashable, CaseIterable {
    case hmc5883l
    case qmc5883l
    case qmc5883p
    case lis3mdl
    /// The LSM303AGR's magnetometer is the same chip.
    case lis2mdl
    case lsm303dlhc
    /// The MMC5613 is the same chip in another package.
    case mmc5603
    case mmc5983ma
    case ist8310
    case ak8963
    case ak09916
    case bmm150
    case rm3100

    /// Whether a `SetResetPolarity` says anything of it.
    public var hasPolarity: Bool { self == .mmc5603 || self == .mmc5983ma }
}
