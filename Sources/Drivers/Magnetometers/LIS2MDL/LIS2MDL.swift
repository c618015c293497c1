public import Hardware

/// ST's LIS2MDL, which is also the magnetometer of the LSM303AGR.
///
/// Set and reset pulses cancel the bridge's offset, for which the chip needs two measurements in a row. In single mode
/// the driver would have to average two measurements, and users report that in this mode no measurement ends while both
/// cancellation bits are set. So the chip measures continuously from `start` until its second output, which sets the
/// overrun bit because the first output was not read; otherwise the chip is idle. Temperature compensation must be on.
/// Source: ST DS12144, AN5069 and DocID027765.
///
/// The frame in the package's drawing is left-handed (DS12144, section 1.2): ST's own fusion examples call it north,
/// east, up, and Betaflight, Phoenix-RTOS and PX4 have found it left-handed too. This driver negates Z, as PX4 proposed
/// for the LSM303AGR, because a mounting in a board file refers to X and Y of the drawing. Betaflight negates X and
/// Phoenix-RTOS Y, with mountings to match.
public struct LIS2MDL: MagnetometerChip {
    public static let model = MagnetometerModel.lis2mdl
    public static let addresses = [I2CAddress(0x1E)]
    /// The field that one count stands for: 1.5 mG.
    ///
    /// Unit: microtesla.
    private static let microteslaPerCount = 0.15
    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(LIS2MDLRegister.identity, in: LIS2MDLRegister.whoAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(LIS2MDLConfigurationA.reset, at: address)
        bus.wait(microseconds: 1000)
        try bus.set(LIS2MDLConfigurationA.idle, at: address)
        try bus.set(LIS2MDLConfigurationB.offsetCancellation, at: address)
        try bus.set(LIS2MDLConfigurationC.blockUpdate, at: address)
    }

    /// Starts continuous measurement; the first output comes after 9.4 ms, the second 10 ms after it.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // This read clears data of an earlier measurement, which must not count as the first output.
        _ = try bus.readRegisters(6, from: LIS2MDLRegister.data, at: address)
        try bus.set(LIS2MDLConfigurationA.continuous, at: address)
        return 21_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        // The bytes read are configuration registers A to C, four interrupt registers and the status. All attempts
        // together last longer than the chip needs for three outputs.
        let state = try bus.readRow(
            8, from: LIS2MDLConfigurationA.register, at: address, until: LIS2MDLRegister.dataWereLost,
            in: LIS2MDLRegister.statusInRow, every: 5000, attempts: 6)
        guard state[0] == LIS2MDLConfigurationA.continuous.rawValue,
            state[2] == LIS2MDLConfigurationC.blockUpdate.rawValue
        else { throw .wasReset(chip: name, at: bus.chip(address)) }
        guard state[LIS2MDLRegister.statusInRow] & LIS2MDLRegister.dataAreReady != 0 else {
            throw .notReady(chip: name, at: bus.chip(address))
        }
        let row = try bus.readRegisters(6, from: LIS2MDLRegister.data, at: address)
        try bus.set(LIS2MDLConfigurationA.idle, at: address)
        let counts: SIMD3<Double> = row.vector(at: 0) * SIMD3(1, 1, -1)
        return MagnetometerReading(field: counts * Self.microteslaPerCount, isSaturated: row.isAtEnd(at: 0))
    }
}
