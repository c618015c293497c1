public import Hardware

/// Analog Devices' ADXL345.
///
/// Between two measurements the chip is in standby; its range is ±16 g at the full resolution of 256 counts per g.
///
/// Motion: the chip takes 12.5 samples a second at low power and compares each with the sample that it took when
/// `watchMotion` was called (AC-coupled, as the data sheet calls it). The threshold has steps of 62.5 mg, and one
/// sample over it is enough. The pin INT1 then stays high until a measurement is read, or `watchMotion` is called
/// again, which also takes the present attitude as the new reference. Source: Analog Devices, ADXL345 data sheet,
/// revision E.
public struct ADXL345: AccelerometerChip {
    public static let model = AccelerometerModel.adxl345
    public static let addresses = [I2CAddress(0x53), I2CAddress(0x1D)]
    /// The time from standby to a settled sample, in microseconds: the turn-on time at 100 Hz, 11.1 ms, and a second
    /// sample for the filter to settle.
    private static let turnOnTime = 25_000
    /// Microseconds between two samples while watching for motion: 80 ms, and a quarter more for the oscillator's
    /// tolerance.
    private static let watchPeriod = 100_000

    public let address: I2CAddress
    private var isWatching = false

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0xE5, in: ADXL345Register.deviceID, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        isWatching = false
        try bus.set(ADXL345Power.standby, at: address)
        try bus.set(ADXL345Interrupts.none, at: address)
        for register in ADXL345Register.offsets { try bus.writeRegister(register, 0, at: address) }
        try bus.set(ADXL345Rate.hz100, at: address)
        try bus.set(ADXL345Format.fullResolution16g, at: address)
        try bus.set(ADXL345Buffer.none, at: address)
    }

    /// Reads the old data, which clears the data-ready bit, and then wakes the chip.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        _ = try bus.readRegisters(6, from: ADXL345Register.data, at: address)
        if isWatching { return ADXL345.watchPeriod }
        try bus.set(ADXL345Power.measuring, at: address)
        return ADXL345.turnOnTime
    }

    /// Reads the interrupt source, the data format and the data in one transfer; the format register shows whether the
    /// chip was reset.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let row = try bus.readRow(
            8, from: ADXL345Register.interruptSource, at: address, until: ADXL345Register.dataAreReady, in: 0,
            every: isWatching ? ADXL345.watchPeriod : ADXL345.turnOnTime)
        guard row[1] == ADXL345Format.fullResolution16g.rawValue else {
            throw .wasReset(chip: name, at: bus.chip(address))
        }
        guard row[0] & ADXL345Register.dataAreReady != 0 else { throw .notReady(chip: name, at: bus.chip(address)) }
        if !isWatching { try bus.set(ADXL345Power.standby, at: address) }
        return row.vector(at: 2) * (standardGravity / 256)
    }

    public mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configure(over: &bus)
        try bus.set(ADXL345Rate.hz12point5AtLowPower, at: address)
        try bus.set(ADXL345ActivityThreshold(threshold), at: address)
        try bus.set(ADXL345Activity.anyAxisOfChange, at: address)
        try bus.set(ADXL345InterruptPins.allOnFirst, at: address)
        _ = try bus.readRegister(ADXL345Register.interruptSource, at: address)
        try bus.set(ADXL345Interrupts.activity, at: address)
        try bus.set(ADXL345Power.measuring, at: address)
        isWatching = true
    }
}
