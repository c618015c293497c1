internal import Hardware

/// The driver of the registers that the LIS3DH and the accelerometers of the LSM303AGR and LSM303DLHC share.
///
/// The range is ±2 g at high resolution: 12 bits left-aligned in 16, 1 mg per count. After power-down the output needs
/// 7 samples to settle, which take 17.5 ms at 400 Hz; therefore single measurements are taken at 400 Hz. Source: ST
/// DocID17530, AN3308, DocID018771.
package struct LIS3DHRegisterFile: Sendable {
    /// The settling time from power-down in microseconds.
    static let settlingTime = 20_000

    let chip: String
    let address: I2CAddress
    private var isWatching = false

    init(chip: String, address: I2CAddress) {
        self.chip = chip
        self.address = address
    }

    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        isWatching = false
        try bus.set(LIS3DHInterrupt.off, at: address)
        try bus.set(LIS3DHControl1.powerDown, at: address)
        try bus.set(LIS3DHControl2.unfiltered, at: address)
        try bus.set(LIS3DHControl3.none, at: address)
        try bus.set(LIS3DHControl4.highResolution, at: address)
        try bus.set(LIS3DHControl5.none, at: address)
        try bus.set(LIS3DHControl6.activeHigh, at: address)
    }

    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // This read clears the data-ready bit of an earlier measurement, whose data must not count as new.
        _ = try bus.readRegisters(7, from: LIS3DHRegister.status | LIS3DHRegister.row, at: address)
        if isWatching { return 110_000 }
        try bus.set(LIS3DHControl1.hertz400, at: address)
        return Self.settlingTime
    }

    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> SIMD3<Double> {
        let control = try bus.readRegisters(4, from: LIS3DHControl1.register | LIS3DHRegister.row, at: address)
        let rate: LIS3DHControl1 = isWatching ? .hertz10 : .hertz400
        guard control[0] == rate.rawValue, control[3] == LIS3DHControl4.highResolution.rawValue
        else { throw .wasReset(chip: chip, at: bus.chip(address)) }
        let row = try bus.readRow(
            7, from: LIS3DHRegister.status | LIS3DHRegister.row, at: address, until: LIS3DHRegister.dataAreReady,
            in: 0, every: isWatching ? 25_000 : 2500, attempts: 5)
        guard row[0] & LIS3DHRegister.dataAreReady != 0 else {
            throw .notReady(chip: chip, at: bus.chip(address))
        }
        if !isWatching { try bus.set(LIS3DHControl1.powerDown, at: address) }
        return row.vector(at: 1) / 16 * (standardGravity / 1000)
    }

    /// Makes the pin INT1 signal that the acceleration on any axis has been over the threshold for the duration.
    ///
    /// The chip's high-pass filter removes gravity. The pin follows the motion and is not latched, because a latched
    /// pin would wait for a read over the bus. The sample rate is 10 Hz, and the filter's corner frequency a fiftieth
    /// of that.
    mutating func watchMotion(
        _ threshold: MotionThreshold, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try configure(over: &bus)
        try bus.set(LIS3DHControl2.filtersInterrupt, at: address)
        try bus.set(LIS3DHControl3.interrupt, at: address)
        try bus.set(LIS3DHThreshold(threshold), at: address)
        try bus.set(LIS3DHDuration(threshold), at: address)
        // The output first settles at a high rate, because otherwise the filter would take an unsettled sample as its
        // reference.
        try bus.set(LIS3DHControl1.hertz400, at: address)
        bus.wait(microseconds: Self.settlingTime)
        try bus.set(LIS3DHControl1.hertz10, at: address)
        _ = try bus.readRegister(LIS3DHRegister.reference, at: address)
        try bus.set(LIS3DHInterrupt.anyAxisAbove, at: address)
        isWatching = true
    }

    /// Latches the interrupt pin, or stops latching it; in both cases the pin is released.
    ///
    /// Source: ST DocID17530, CTRL_REG5 and INT1_SRC; tried on an emulated chip only, not on hardware.
    func latchMotion(_ isLatched: Bool, over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(isLatched ? LIS3DHControl5.latched : .none, at: address)
        _ = try bus.readRegister(LIS3DHRegister.interruptSource, at: address)
    }

    func latchedMotion(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Bool? {
        let control = try bus.readRegister(LIS3DHControl5.register, at: address)
        guard control == LIS3DHControl5.latched.rawValue else { return nil }
        return try bus.readRegister(LIS3DHRegister.interruptSource, at: address) & LIS3DHRegister.isInterrupting != 0
    }
}
