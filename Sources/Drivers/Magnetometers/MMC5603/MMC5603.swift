public import Hardware

/// MEMSIC's MMC5603, and the MMC5613, which is the same chip in another package.
///
/// The chip takes one measurement at a time, and sleeps by itself between two. A power cycle loses only a running
/// measurement: the driver uses the configuration of power-up, and the bridges stay magnetised.
///
/// Polarity: sources disagree. Linux's driver mmc5633 states that the axes are aligned after RESET, and the drivers of
/// Zephyr and Adafruit measure after it as well, so RESET is used. The data sheet's text, and PX4's driver for the
/// MMC5616, have SET. Data: sources disagree. The data sheet, Linux and Zephyr read nine data registers, as does this
/// driver; Adafruit's library fetches eight and uses the ninth. Source: MEMSIC, MMC5603NJ data sheet, revision B.
public struct MMC5603: SetResetMagnetometer {
    public static let model = MagnetometerModel.mmc5603
    public static let addresses = [I2CAddress(0x30)]
    /// The time of one measurement in microseconds: 6.6 ms at the narrowest bandwidth, and a fifth more for the
    /// oscillator's tolerance.
    static let conversionTime = 8000

    public let address: I2CAddress
    public var polarity = SetResetPolarity.afterReset
    var bridge = BridgeOffset()

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(MMC5603Register.identity, in: MMC5603Register.productID, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        try bus.set(MMC5603Control1.reset, at: address)
        // The time in microseconds that the chip takes to start, by the data sheet.
        bus.wait(microseconds: 20_000)
        try bus.set(MMC5603Control1.narrowest, at: address)
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
        try bus.set(pulse == .set ? MMC5603Control0.set : .reset, at: address)
    }

    func takeMeasurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(MMC5603Control0.measureField, at: address)
    }

    func readBridges(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let isMeasured = try bus.isSet(
            MMC5603Register.fieldIsMeasured, in: MMC5603Register.status1, at: address,
            orAfter: Self.conversionTime)
        guard isMeasured else { throw .notReady(chip: name, at: bus.chip(address)) }
        let data = try bus.readRegisters(9, from: MMC5603Register.data, at: address)
        return MagnetometerReading(
            fieldX: MMC5603.count(data, axis: 0), y: MMC5603.count(data, axis: 1), z: MMC5603.count(data, axis: 2))
    }

    /// An unsigned value of 20 bits: 16 in two registers, the high one first, and the low 4 in the high half of a third
    /// register.
    private static func count(_ data: RegisterBytes, axis: Int) -> Int {
        Int(data[2 * axis]) << 12 | Int(data[2 * axis + 1]) << 4 | Int(data[6 + axis] >> 4)
    }
}

extension MagnetometerReading {
    /// Converts 20-bit counts to a field: 16384 counts per gauss from the middle of the range; the chip is linear to
    /// ±30 G.
    fileprivate init(fieldX x: Int, y: Int, z: Int) {
        let counts = SIMD3(Double(x), Double(y), Double(z)) - Double(1 << 19)
        let field = counts * (100.0 / 16384)
        let isSaturated = max(abs(field.x), abs(field.y), abs(field.z)) >= 3000
        self.init(field: field, isSaturated: isSaturated)
    }
}
