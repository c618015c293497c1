/// The scales of the HMC5883L and of the LSM303DLHC's magnetometer at each gain.
enum HMCScales: Sendable {
    case hmc5883l
    case lsm303dlhc

    /// The counts per gauss of X and Y, and those of Z, at a gain.
    ///
    /// Source: Honeywell 900405 revision E, table 9; ST DocID018771, table 75. The older HMC5883 has other numbers
    /// (1280, 1024, …).
    func countsPerGauss(_ gain: HMCGain) -> (xy: Double, z: Double) {
        switch (self, gain) {
        case (.hmc5883l, .one): (1090, 1090)
        case (.hmc5883l, .two): (820, 820)
        case (.hmc5883l, .three): (660, 660)
        case (.hmc5883l, .four): (440, 440)
        case (.hmc5883l, .five): (390, 390)
        case (.hmc5883l, .six): (330, 330)
        case (.hmc5883l, .seven): (230, 230)
        case (.lsm303dlhc, .one): (1100, 980)
        case (.lsm303dlhc, .two): (855, 760)
        case (.lsm303dlhc, .three): (670, 600)
        case (.lsm303dlhc, .four): (450, 400)
        case (.lsm303dlhc, .five): (400, 355)
        case (.lsm303dlhc, .six): (330, 295)
        case (.lsm303dlhc, .seven): (230, 205)
        }
    }
}
