public import Hardware

/// QST's QMC5883L.
///
/// The chip has no single mode: it measures continuously from `start` to the end of `read`. The status is read in a
/// transfer of its own before the data, because reading a data byte clears DRDY. DRDY is bit 0; bit 2, which some
/// drivers poll, means that a measurement was lost. Source: QST's data sheet, revisions 1.0 and A.
public struct QMC5883L: MagnetometerChip {
    public static let model = MagnetometerModel.qmc5883l
    public static let addresses = [I2CAddress(0x0D)]
    /// The counts per gauss in the range of ±8 G.
    private static let countsPerGauss = 3000.0
    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    /// Checks that the identity register holds 0xFF and, because that is a weak identity, that the register before it
    /// holds 1, as two flight stacks do.
    ///
    /// Register 0 is read first, because before that the identity is unreliable.
    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        _ = try bus.readRegister(QMC5883LRegister.data, at: address)
        try expect(QMC5883LRegister.reservedValue, in: QMC5883LRegister.reserved, at: address, over: &bus)
        try expect(QMC5883LRegister.identity, in: QMC5883LRegister.chipID, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(QMC5883LControl2.softReset, at: address)
        bus.wait(microseconds: 1000)
        try bus.set(QMC5883LControl2.noInterrupt, at: address)
        try bus.set(QMC5883LSetResetPeriod.recommended, at: address)
        try bus.set(QMC5883LControl1.standby, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // This read clears data of an earlier measurement, which must not count as new.
        _ = try bus.readRegisters(6, from: QMC5883LRegister.data, at: address)
        try bus.set(QMC5883LControl1.continuous, at: address)
        return 10_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let state = try bus.readRow(
            6, from: QMC5883LRegister.status, at: address, until: QMC5883LRegister.dataAreReady, in: 0, every: 2000,
            attempts: 5)
        guard state[3] == QMC5883LControl1.continuous.rawValue,
            state[5] == QMC5883LSetResetPeriod.recommended.rawValue
        else { throw .wasReset(chip: name, at: bus.chip(address)) }
        guard state[0] & QMC5883LRegister.dataAreReady != 0 else {
            throw .notReady(chip: name, at: bus.chip(address))
        }
        let row = try bus.readRegisters(6, from: QMC5883LRegister.data, at: address)
        try bus.set(QMC5883LControl1.standby, at: address)
        return MagnetometerReading(
            field: row.vector(at: 0) * (100 / Self.countsPerGauss),
            isSaturated: state[0] & QMC5883LRegister.isBeyondRange != 0)
    }
}
