public import Hardware

/// QST's QMC5883P, which differs from the QMC5883L in its registers and address.
///
/// Source: QST 13-52-19. The scale of ±8 G is 3750 counts per gauss and that of ±2 G 15000, by the data sheet and
/// Adafruit's driver. ArduPilot's 3000 and PX4's 12000 are those of the QMC5883L; with them, fields would be a quarter
/// too large.
///
/// The driver writes the signs of the axes, 0x06, into register 0x29, as in the data sheet's examples. ArduPilot and
/// Betaflight have the two numbers exchanged, and write into a data register; Linux, PX4 and Adafruit leave the signs
/// as they are after reset. The frame is right-handed with the signs of the examples and with those after reset, since
/// PX4 converts the latter frame to its own by a rotation. But a mounting that was found with one of those programs can
/// be wrong here. Reading the status clears DRDY, so it is read once per attempt.
public struct QMC5883P: MagnetometerChip {
    public static let model = MagnetometerModel.qmc5883p
    public static let addresses = [I2CAddress(0x2C)]
    /// The counts per gauss in the range of ±8 G.
    private static let countsPerGauss = 3750.0
    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(QMC5883PRegister.identity, in: QMC5883PRegister.chipID, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(QMC5883PControl2.softReset, at: address)
        bus.wait(microseconds: 2000)
        try bus.set(QMC5883PControl2.ended, at: address)
        try bus.set(QMC5883PSigns.asInExamples, at: address)
        try bus.set(QMC5883PControl2.gauss8, at: address)
        try bus.set(QMC5883PControl1.suspend, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // This read clears the status of an earlier measurement, which must not count as new.
        _ = try bus.readRegister(QMC5883PRegister.status, at: address)
        try bus.set(QMC5883PControl1.single, at: address)
        return 10_000
    }

    /// Reads the measurement; the chip has by then returned to suspend by itself.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let state = try bus.readRow(
            3, from: QMC5883PRegister.status, at: address, until: QMC5883PRegister.dataAreReady, in: 0, every: 4000,
            attempts: 5)
        guard state[2] == QMC5883PControl2.gauss8.rawValue else {
            throw .wasReset(chip: name, at: bus.chip(address))
        }
        guard state[0] & QMC5883PRegister.dataAreReady != 0 else {
            throw .notReady(chip: name, at: bus.chip(address))
        }
        let row = try bus.readRegisters(6, from: QMC5883PRegister.data, at: address)
        return MagnetometerReading(
            field: row.vector(at: 0) * (100 / Self.countsPerGauss),
            isSaturated: state[0] & QMC5883PRegister.isBeyondRange != 0)
    }
}
