public import Hardware

/// Analog Devices' ADXL345.
///
/// In standby between two measurements, at ±16 g with the full resolution of 256 counts to g.
///
/// Motion: 12.5 samples a second at low power, each compared with the one when `watchMotion` was called (AC-coupled, as
/// the data sheet says), in steps of 62.5 mg; one sample is enough. The pin INT1 then stays high until a measurement is
/// read, or `watchMotion` is called again, which also takes the attitude of that time.
/// Source: Analog Devices, ADXL345 data sheet, revision E.
public struct ADXL345: AccelerometerChip {
    public static let model = AccelerometerModel.adxl345
    public static let addresses = [I2CAddress(0x53), I2CAddress(0x1D)]
    /// The turn-on time at 100 Hz is 11.1 ms; a second sample for the filter.
    private static let turnOnTime = 25_000
    /// 80 ms, and a quarter for the oscillator.
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

    /// Reads the data that were left, so that their mark falls, and wakes the chip.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        _ = try bus.readRegisters(6, from: ADXL345Register.data, at: address)
        if isWatching { return ADXL345.watchPeriod }
        try bus.set(ADXL345Power.measuring, at: address)
        return ADXL345.turnOnTime
    }

    /// The row begins with the interrupt's source, and the format says whether the chip still is as configured.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let row = try bus.readRow(
            8, from: ADXL345Register.interruptSource, at: address, until: ADXL345Register.dataAreReady, in: 0,
            every: isWatching ? ADXL345.watchPeriod : ADXL345.turnOnTime)
        guard row[1] == ADXL345Format.fullResolution16g.rawValue else {
            throw .wasReset(chip: name, at: bus.place(address))
        }
        guard row[0] & ADXL345Register.dataAreReady != 0 else { throw .notReady(chip: name, at: bus.place(address)) }
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
