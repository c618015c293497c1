public import Hardware

/// ST's LIS2MDL, which is also the magnetometer of the LSM303AGR.
///
/// Source: ST DS12144, AN5069 and DocID027765. The bridge's offset is cancelled by set and reset pulses, of which two in
/// a row must meet: in single mode that takes two measurements to be averaged, and users report that with both bits of
/// cancellation no measurement ends. So the chip measures continuously from `start` until its second output, whose
/// arrival over the unread first sets the overrun bit, and is idle between. Temperature compensation must be on.
///
/// The package's drawing is left-handed (DS12144, section 1.2): ST's own fusion examples give it north, east, up, and
/// Betaflight, Phoenix-RTOS and PX4 have found the same. Z is negated here, as PX4 proposed for the LSM303AGR, since a
/// mounting names where X and Y of the drawing point. Betaflight negates X, and Phoenix-RTOS Y: they have the mounting
/// that goes with it.
public struct LIS2MDL: MagnetometerChip {
    public static let model = MagnetometerModel.lis2mdl
    public static let addresses = [I2CAddress(0x1E)]
    /// 1.5 mG per count.
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

    /// The turn-on time is 9.4 ms, and two outputs are 10 ms apart.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // Data from an earlier measurement must not count as the first output.
        _ = try bus.readRegisters(6, from: LIS2MDLRegister.data, at: address)
        try bus.set(LIS2MDLConfigurationA.continuous, at: address)
        return 21_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        // Configuration A to C; its interrupt's four; the status. By the last attempt there was time for three outputs.
        let state = try bus.readRow(
            8, from: LIS2MDLConfigurationA.register, at: address, until: LIS2MDLRegister.dataWereLost,
            in: LIS2MDLRegister.statusInRow, every: 5000, attempts: 6)
        guard state[0] == LIS2MDLConfigurationA.continuous.rawValue,
            state[2] == LIS2MDLConfigurationC.blockUpdate.rawValue
        else { throw .wasReset(chip: name, at: bus.place(address)) }
        guard state[LIS2MDLRegister.statusInRow] & LIS2MDLRegister.dataAreReady != 0 else {
            throw .notReady(chip: name, at: bus.place(address))
        }
        let row = try bus.readRegisters(6, from: LIS2MDLRegister.data, at: address)
        try bus.set(LIS2MDLConfigurationA.idle, at: address)
        let counts: SIMD3<Double> = row.vector(at: 0) * SIMD3(1, 1, -1)
        return MagnetometerReading(field: counts * Self.microteslaPerCount, isSaturated: row.isAtEnd(at: 0))
    }
}
