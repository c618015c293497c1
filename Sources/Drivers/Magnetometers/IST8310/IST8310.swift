public import Hardware

/// iSentek's IST8310.
///
/// The chip takes one measurement at a time, each the mean of sixteen samples, and is in standby between two. Its
/// registers have a left-handed frame, which `read` makes right-handed by negating Z, as ArduPilot and PX4 do.
///
/// Scale: sources disagree. At 14 bits, the data sheet and ArduPilot have 0.3 µT per count, which is used here. PX4
/// sets 16 bits and has 1320 counts per gauss, which at 14 bits would be 0.303 µT per count. Source: iSentek, IST8310
/// data sheet, version 1.2.
public struct IST8310: MagnetometerChip {
    public static let model = MagnetometerModel.ist8310
    public static let addresses = [0x0E, 0x0C, 0x0D, 0x0F].map { I2CAddress($0) }
    /// The time of one measurement in microseconds: 6 ms for the mean of sixteen samples, and a third more for the
    /// oscillator's tolerance.
    private static let conversionTime = 8000

    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(IST8310Register.identity, in: IST8310Register.whoAmI, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        try bus.set(IST8310Control2.reset, at: address)
        // The longest time in microseconds that the chip takes to start, by the data sheet.
        bus.wait(microseconds: 50_000)
        let control = try bus.readRegister(IST8310Control2.register, at: address)
        guard control & IST8310Control2.reset.rawValue == 0 else { throw .notReady(chip: name, at: bus.chip(address)) }
        try bus.set(IST8310Averaging.bySixteen, at: address)
        try bus.set(IST8310PulseDuration.normal, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try bus.set(IST8310Control1.single, at: address)
        return IST8310.conversionTime
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRow(
            7, from: IST8310Register.status1, at: address, until: IST8310Register.dataAreReady, in: 0,
            every: IST8310.conversionTime)
        let setting = try bus.readRegisters(2, from: IST8310Averaging.register, at: address)
        guard setting[0] == IST8310Averaging.bySixteen.rawValue, setting[1] == IST8310PulseDuration.normal.rawValue
        else { throw .wasReset(chip: name, at: bus.chip(address)) }
        guard row[0] & IST8310Register.dataAreReady != 0 else { throw .notReady(chip: name, at: bus.chip(address)) }
        let field = row.vector(at: 1) * SIMD3(0.3, 0.3, -0.3)
        let isSaturated = max(abs(field.x), abs(field.y)) > 1600 || abs(field.z) > 2500
        return MagnetometerReading(field: field, isSaturated: isSaturated)
    }
}
