public import Hardware

/// MEMSIC's MMC5983MA.
///
/// The chip takes one measurement at a time, and sleeps by itself between two. A power cycle loses only a running
/// measurement: the driver uses the configuration of power-up, and the bridges stay magnetised. The control registers
/// are write-only, and each command sets a whole register.
///
/// Polarity: sources disagree. The data sheet gives the output after SET as +H + offset, and Linux's driver mmc5983
/// follows it. The drivers of the flight stacks ArduPilot and PX4 both invert that sign; with the wrong sign, all three
/// axes would be inverted, which no mounting can correct. This driver uses the sign of the flight stacks: the output has
/// the field's sign after RESET, and the opposite one after SET. Source of all but the polarity: MEMSIC, MMC5983MA data
/// sheet, revision A.
public struct MMC5983MA: SetResetMagnetometer {
    public static let model = MagnetometerModel.mmc5983ma
    public static let addresses = [I2CAddress(0x30)]
    /// The time of one measurement in microseconds: 8 ms at the narrowest bandwidth, and a fifth more for the
    /// oscillator's tolerance.
    static let conversionTime = 9600

    public let address: I2CAddress
    public var polarity = SetResetPolarity.afterReset
    var bridge = BridgeOffset()

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(MMC5983MARegister.identity, in: MMC5983MARegister.productID, at: address, over: &bus)
    }

    /// Resets the chip and makes it load its trim values again, as Linux's driver does.
    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        try bus.set(MMC5983MAControl1.reset, at: address)
        // The time in microseconds that the chip takes to start, by the data sheet.
        bus.wait(microseconds: 10_000)
        try bus.set(MMC5983MAControl1.narrowest, at: address)
        try bus.set(MMC5983MAControl0.fetchTrim, at: address)
        bus.wait(microseconds: 10_000)
        let status = try bus.readRegister(MMC5983MARegister.status, at: address)
        guard status & MMC5983MARegister.trimIsFetched != 0 else { throw .badTrim(chip: name, at: bus.chip(address)) }
        bridge = BridgeOffset()
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try startSample(over: &bus)
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        try readSample(over: &bus)
    }

    public mutating func paused() { bridge.expire() }

    func pulse(_ pulse: CoilPulse, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(pulse == .set ? MMC5983MAControl0.set : .reset, at: address)
    }

    func takeMeasurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(MMC5983MAControl0.measureField, at: address)
    }

    func readBridges(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let isMeasured = try bus.isSet(
            MMC5983MARegister.fieldIsMeasured, in: MMC5983MARegister.status, at: address,
            orAfter: Self.conversionTime)
        guard isMeasured else { throw .notReady(chip: name, at: bus.chip(address)) }
        let data = try bus.readRegisters(7, from: MMC5983MARegister.data, at: address)
        return MagnetometerReading(
            countX: MMC5983MA.count(data, axis: 0), y: MMC5983MA.count(data, axis: 1),
            z: MMC5983MA.count(data, axis: 2))
    }

    /// An unsigned value of 18 bits: 16 in two registers, the high one first, and the low 2 in the seventh register.
    private static func count(_ data: RegisterBytes, axis: Int) -> Int {
        Int(data[2 * axis]) << 10 | Int(data[2 * axis + 1]) << 2 | Int(data[6] >> (6 - 2 * axis) & 3)
    }
}

extension MagnetometerReading {
    /// Converts 18-bit counts to a field: 16384 counts per gauss from the middle of the range, which ends at ±8 G.
    fileprivate init(countX x: Int, y: Int, z: Int) {
        let isSaturated = min(x, y, z) <= 0 || max(x, y, z) >= (1 << 18) - 1
        let counts = SIMD3(Double(x), Double(y), Double(z)) - Double(1 << 17)
        self.init(field: counts * (100.0 / 16384), isSaturated: isSaturated)
    }
}
