public import Hardware

/// PNI's RM3100, three coils around a MagI2C.
///
/// The driver takes one measurement at a time, by POLL, and the chip is idle between two. The chip has no overflow bit:
/// a field beyond the specified range counts as overflow. The register for the rate of continuous measurement, which is
/// not used, is set to another value than at power-up, so that the driver sees a reset.
///
/// The chip's addresses are among those of the PCF8574 expander (0x20 to 0x27), which has no registers: a register's
/// number sent to an expander would become the level of its outputs. Therefore the chip is tried only if the board file
/// gives its name or address.
///
/// Time: sources disagree on the 430 Hz at 200 cycles. The user manual's text beside its table of rates gives them for
/// three axes together, its table of performance for one axis, and Linux waits 7 ms for 150 Hz. The longer time, that
/// for one axis, is used. Source: PNI, RM3100 & RM2100 user manual, document 1017252.
public struct RM3100: MagnetometerChip {
    public static let model = MagnetometerModel.rm3100
    public static let addresses = [0x20, 0x21, 0x22, 0x23].map { I2CAddress($0) }
    public static let isAskedByNameOnly = true
    /// The time of one measurement in microseconds: three axes at 1/430 s each, and two fifths more for the
    /// oscillator's tolerance.
    private static let conversionTime = 10_000
    /// The counts per microtesla at 200 cycles: 75, by the manual's table of performance.
    private static let scale = 75.0

    public let address: I2CAddress

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(RM3100Register.identity, in: RM3100Register.revision, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        try bus.set(RM3100Continuous.off, at: address)
        try bus.set(RM3100SelfTest.off, at: address)
        for axis in 0..<3 {
            let register = RM3100Register.cycleCounts + UInt8(2 * axis)
            try bus.writeRegister(register, 0, at: address)
            try bus.writeRegister(register + 1, RM3100Register.cycles, at: address)
        }
        try bus.set(RM3100Rate.hz600, at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try bus.set(RM3100Poll.allAxes, at: address)
        return RM3100.conversionTime
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let isMeasured = try bus.isSet(
            RM3100Register.dataAreReady, in: RM3100Register.status, at: address, orAfter: RM3100.conversionTime)
        guard isMeasured else { throw try whyNotReady(over: &bus) }
        let row = try bus.readRegisters(9, from: RM3100Register.results, at: address)
        let field = SIMD3(RM3100.count(row, 0), RM3100.count(row, 1), RM3100.count(row, 2)) / RM3100.scale
        return MagnetometerReading(field: field, isSaturated: max(abs(field.x), abs(field.y), abs(field.z)) > 800)
    }

    private func whyNotReady(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> ChipError {
        let rate = try bus.readRegister(RM3100Rate.register, at: address)
        return rate == RM3100Rate.hz600.rawValue
            ? .notReady(chip: name, at: bus.chip(address)) : .wasReset(chip: name, at: bus.chip(address))
    }

    /// A signed value of 24 bits, the high byte first.
    private static func count(_ row: RegisterBytes, _ axis: Int) -> Double {
        Double(row.signedBigEndian(at: 3 * axis) << 8 | Int(row[3 * axis + 2]))
    }
}
