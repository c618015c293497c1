public import Hardware

/// Honeywell's HMC5883L, and what is sold as such and really is one.
///
/// Source: Honeywell 900405 revision E. Parts marked DA5883 answer like it but never set their status register's ready
/// bit; for those the time and the mode register, which returns to idle, say that a measurement is over.
public struct HMC5883L: MagnetometerChip {
    public static let model = MagnetometerModel.hmc5883l
    public static let addresses = [I2CAddress(0x1E)]
    private var registers: HMCRegisterFile

    public init(at address: I2CAddress) {
        registers = HMCRegisterFile(
            chip: Self.name, address: address, configurationA: .averagingEight, scales: .hmc5883l)
    }

    public var address: I2CAddress { registers.address }

    /// The identity is that of the LSM303DLHC's magnetometer too, which is asked for before it.
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
