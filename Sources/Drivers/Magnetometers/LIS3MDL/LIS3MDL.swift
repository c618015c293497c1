public import Hardware

/// ST's LIS3MDL, in single conversions of its ultra-high performance mode.
///
/// Reading several registers in one transfer requires bit 7 of the register address. The chip has no overflow bit: a
/// value beyond ±4 G, the range, counts as overflow. Its frame is right-handed. Source: ST DocID024204 and AN4602.
public struct LIS3MDL: MagnetometerChip {
    public static let model = MagnetometerModel.lis3mdl
    public static let addresses = [I2CAddress(0x1C), I2CAddress(0x1E)]
    /// The counts per gauss in the range of ±4 G.
    private static let countsPerGauss = 6842.0
    /// The largest field of the range of ±4 G.
    ///
    /// Unit: microtesla.
    private static let range = 400.0
    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(LIS3MDLRegister.identity, in: LIS3MDLRegister.whoAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(LIS3MDLControl3.powerDown, at: address)
        try bus.set(LIS3MDLControl1.ultraHighPerformance, at: address)
        try bus.set(LIS3MDLControl2.gauss4, at: address)
        try bus.set(LIS3MDLControl4.ultraHighPerformance, at: address)
        try bus.set(LIS3MDLControl5.blockUpdate, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // This read clears data of an earlier measurement, which must not count as new.
        _ = try bus.readRegisters(14, from: LIS3MDLRegister.controlToData, at: address)
        try bus.set(LIS3MDLControl3.single, at: address)
        return 13_000
    }

    /// Reads the measurement; after a single conversion the chip returns to power-down by itself.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRow(
            14, from: LIS3MDLRegister.controlToData, at: address, until: LIS3MDLRegister.dataAreReady,
            in: LIS3MDLRegister.statusInRow, every: 3000, attempts: 5)
        guard row[0] == LIS3MDLControl1.ultraHighPerformance.rawValue,
            row[4] == LIS3MDLControl5.blockUpdate.rawValue
        else { throw .wasReset(chip: name, at: bus.chip(address)) }
        guard row[LIS3MDLRegister.statusInRow] & LIS3MDLRegister.dataAreReady != 0 else {
            throw .notReady(chip: name, at: bus.chip(address))
        }
        let field = row.vector(at: LIS3MDLRegister.dataInRow) * (100 / Self.countsPerGauss)
        let isSaturated = any(field .>= Self.range .| field .<= -Self.range)
        return MagnetometerReading(field: field, isSaturated: isSaturated)
    }
}
