public import Hardware

/// Honeywell's HMC5883L, and compatible chips sold under that name.
///
/// Source: Honeywell 900405 revision E. Parts marked DA5883 behave alike but never set the ready bit of their status
/// register. Their measurements count as ended when the time has passed and the mode register shows idle.
public struct HMC5883L: MagnetometerChip {
    public static let model = MagnetometerModel.hmc5883l
    public static let addresses = [I2CAddress(0x1E)]
    private var registers: HMCRegisterFile

    public init(at address: I2CAddress) {
        registers = HMCRegisterFile(
            chip: Self.name, address: address, configurationA: .averagingEight, scales: .hmc5883l)
    }

    public var address: I2CAddress { registers.address }

    /// Checks the identity; the LSM303DLHC's magnetometer has the same one, and a search tries that chip before this
    /// one.
    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try HMCRegisterFile.checkIdentity(of: name, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try registers.configure(over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try registers.start(over: &bus)
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        try registers.read(over: &bus)
    }
}
