public import Hardware

/// The accelerometer of InvenSense's ICM-20948; its gyroscopes stay off.
///
/// The chip sleeps between two measurements. Its registers are in four banks; every method leaves bank 0 selected. The
/// magnetometer in its package is an AK09916 behind a bus switch, which this driver does not change.
///
/// Motion: the chip takes ten samples a second and compares each with the one before. It gives a pulse of 50 µs for
/// each sample that differs by more than the threshold, which has steps of 4 mg; it has no setting for a duration.
/// While the chip sleeps or runs at low power, the registers of its measuring part cannot be accessed. So this driver,
/// like the maker's own, wakes the chip to read a sample while it watches. Source: InvenSense, DS-000189 revision 1.3.
public struct ICM20948: AccelerometerChip {
    public static let model = AccelerometerModel.icm20948
    public static let addresses = [I2CAddress(0x68), I2CAddress(0x69)]
    /// True, because an earlier program can have left another register bank selected, and the identity check then must
    /// select bank 0 by a write.
    public static let writesToIdentify = true
    /// The time from sleep to a settled sample, in microseconds: the data sheet's 20 ms, and the low-pass filter's
    /// settling time.
    private static let wakeTime = 35_000
    /// Microseconds between two samples while watching for motion: 112 periods of 1125 Hz, and a tenth more for the
    /// oscillator's tolerance.
    private static let watchPeriod = 110_000

    public let address: I2CAddress
    private var isWatching = false

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try ICM20948Identity.check(as: name, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try Self.checkIdentity(at: address, over: &bus)
        isWatching = false
        try bus.set(ICM20948Power.awake, at: address)
        try bus.set(ICM20948Interrupts.none, at: address)
        for register in ICM20948Register.furtherInterrupts { try bus.writeRegister(register, 0, at: address) }
        try bus.set(ICM20948UserControl.allOff, at: address)
        try bus.set(ICM20948LowPower.none, at: address)
        try bus.set(ICM20948Standby.gyroscopes, at: address)
        try bus.set(ICM20948Bank.bank2, at: address)
        try bus.set(ICM20948RateDividerHigh.none, at: address)
        try bus.set(ICM20948RateDivider(dividesBy: 1), at: address)
        try bus.set(ICM20948Intelligence.off, at: address)
        try bus.set(ICM20948Acceleration.g2At50Hz, at: address)
        try bus.set(ICM20948Bank.bank0, at: address)
        try bus.set(ICM20948Power.asleep, at: address)
    }

    /// Wakes the chip, and clears the data-ready bit that a sample between the last reading and the sleep can have set.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        if isWatching { return ICM20948.watchPeriod }
        try bus.set(ICM20948Power.awake, at: address)
        _ = try bus.readRegister(ICM20948Register.interruptStatus1, at: address)
        return ICM20948.wakeTime
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let power = try bus.readRegister(ICM20948Power.register, at: address)
        guard power == (isWatching ? ICM20948Power.cycling : .awake).rawValue else {
            throw .wasReset(chip: name, at: bus.chip(address))
        }
        if isWatching { try bus.set(ICM20948Power.awake, at: address) }
        let isMeasured = try bus.isSet(
            ICM20948Register.dataAreReady, in: ICM20948Register.interruptStatus1, at: address,
            orAfter: isWatching ? ICM20948.watchPeriod : ICM20948.wakeTime)
        guard isMeasured else { throw .notReady(chip: name, at: bus.chip(address)) }
        let row = try bus.readRegisters(6, from: ICM20948Register.acceleration, at: address)
        try bus.set(isWatching ? ICM20948Power.cycling : .asleep, at: address)
        return row.acceleration(at: 0)
    }

    public mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configure(over: &bus)
        try bus.set(ICM20948Power.awake, at: address)
        let pin = try bus.readRegister(ICM20948InterruptPin.register, at: address)
        try bus.set(ICM20948InterruptPin(keeping: pin), at: address)
        try bus.set(ICM20948Bank.bank2, at: address)
        try bus.set(ICM20948RateDivider(dividesBy: 112), at: address)
        try bus.set(ICM20948Intelligence.comparesWithLast, at: address)
        try bus.set(ICM20948MotionThreshold(threshold), at: address)
        try bus.set(ICM20948Bank.bank0, at: address)
        try bus.set(ICM20948Interrupts.motion, at: address)
        try bus.set(ICM20948LowPower.accelerometerCycles, at: address)
        try bus.set(ICM20948Power.cycling, at: address)
        isWatching = true
    }
}
