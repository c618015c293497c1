public import Hardware

/// Bosch's BMM150.
///
/// The chip takes one measurement at a time, in forced mode; between two measurements it sleeps and keeps its
/// registers. Its identity can be read only while its power bit is set, and clearing that bit clears all registers.
/// Source: Bosch, BST-BMM150-DS001.
public struct BMM150: MagnetometerChip {
    public static let model = MagnetometerModel.bmm150
    public static let addresses = [0x10, 0x11, 0x12, 0x13].map { I2CAddress($0) }
    public static let writesToIdentify = true
    /// The number of repetitions in a measurement by the data sheet's preset "enhanced regular", whose noise is 0.6 µT
    /// in Z and 0.5 µT in X and Y.
    private static let repetitions = (xy: 15, z: 27)
    /// The time of one measurement in microseconds: 145 for each repetition in X and Y, 500 for each in Z, and 980
    /// besides; the sum is increased by a tenth for the oscillator's tolerance.
    private static let conversionTime = (145 * repetitions.xy + 500 * repetitions.z + 980) * 11 / 10
    /// The time from suspend to sleep by the data sheet, in microseconds.
    private static let wakeTime = 3000

    public let address: I2CAddress
    private var trim = BMM150Trim()

    public init(at address: I2CAddress) { self.address = address }

    /// Checks the identity.
    ///
    /// If the identity does not match, sets the power bit and checks again; if the chip is no BMM150, the former value
    /// of the power register is restored.
    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegister(BMM150Register.chipID, at: address)
        if found == BMM150Register.identity { return }
        let power = try bus.readRegister(BMM150Power.register, at: address)
        try bus.set(BMM150Power.on, at: address)
        bus.wait(microseconds: wakeTime)
        do {
            try expect(BMM150Register.identity, in: BMM150Register.chipID, at: address, over: &bus)
        } catch {
            try bus.writeRegister(BMM150Power.register, power, at: address)
            throw error
        }
    }

    /// Resets the chip from any state, which clears its registers, and puts it to sleep with its configuration set.
    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try bus.set(BMM150Power.reset, at: address)
        bus.wait(microseconds: BMM150.wakeTime)
        try bus.set(BMM150Power.on, at: address)
        bus.wait(microseconds: BMM150.wakeTime)
        try Self.expect(BMM150Register.identity, in: BMM150Register.chipID, at: address, over: &bus)
        trim = try readTrim(over: &bus)
        try bus.set(BMM150RepetitionsXY(count: BMM150.repetitions.xy), at: address)
        try bus.set(BMM150RepetitionsZ(count: BMM150.repetitions.z), at: address)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        try bus.set(BMM150Operation.forced, at: address)
        return BMM150.conversionTime
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRow(
            8, from: BMM150Register.data, at: address, until: BMM150Register.dataAreReady, in: 6,
            every: BMM150.conversionTime)
        guard row[6] & BMM150Register.dataAreReady != 0 else {
            let power = try bus.readRegister(BMM150Power.register, at: address)
            throw power & BMM150Power.on.rawValue == 0
                ? .wasReset(chip: name, at: bus.chip(address)) : .notReady(chip: name, at: bus.chip(address))
        }
        let x = row.signedLittleEndian(at: 0) >> 3
        let y = row.signedLittleEndian(at: 2) >> 3
        let z = row.signedLittleEndian(at: 4) >> 1
        let resistance = Int(row[7]) << 6 | Int(row[6] >> 2)
        let isSaturated =
            x == BMM150Register.overflowXY || y == BMM150Register.overflowXY
            || z == BMM150Register.overflowZ
        return MagnetometerReading(
            field: trim.field(x: x, y: y, z: z, resistance: resistance), isSaturated: isSaturated)
    }

    /// Reads the chip's trim values, which have no checksum, until two readings in a row agree.
    private func readTrim(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> BMM150Trim {
        var last: BMM150Trim?
        for _ in 0..<4 {
            let row = try bus.readRegisters(21, from: BMM150Register.trim, at: address)
            let trim = BMM150Trim(row: row)
            if trim == last, trim.isPlausible { return trim }
            last = trim
        }
        throw .badTrim(chip: name, at: bus.chip(address))
    }
}
