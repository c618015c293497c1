internal import Hardware

/// The driver of the registers that the HMC5883L and the LSM303DLHC's magnetometer share.
///
/// A measurement beyond the range lowers the gain one step, and a small one raises it one step. The first measurement
/// after such a change still has the old gain and is discarded, as in Honeywell's example. All six data bytes are read
/// each time, because until then the chip stores no new data. The ready bit, RDY, does not suffice to show new data,
/// because reading does not clear it; the mode register shows them, by going from single to idle. Source: Honeywell
/// 900405 revision E; ST DocID018771.
struct HMCRegisterFile: Sendable {
    /// The content of a data register that means that the axis was beyond the range.
    static let overflow = -4096
    /// The count below which an axis surely stays within the range at the next finer gain, where the count is at most
    /// 1.5 times as large.
    static let smallCount = 600
    /// The time of a single measurement, 6 ms, with a margin for the clock's tolerance.
    ///
    /// Unit: microseconds.
    static let conversionTime = 7000

    let chip: String
    let address: I2CAddress
    let configurationA: HMCConfigurationA
    let scales: HMCScales
    private var gain = HMCGain.one
    private var isGainNew = true
    /// Whether a measurement has ended without the ready bit in the status register; the bit is then ignored.
    private var isStatusDead = false

    init(chip: String, address: I2CAddress, configurationA: HMCConfigurationA, scales: HMCScales) {
        self.chip = chip
        self.address = address
        self.configurationA = configurationA
        self.scales = scales
    }

    /// Checks that the three identification registers hold the characters "H43".
    static func checkIdentity(
        of chip: String, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegisters(3, from: HMCRegister.identification, at: address)
        for (index, expected) in HMCRegister.identity.enumerated() where found[index] != expected {
            let register = HMCRegister.identification + UInt8(index)
            throw .wrongIdentity(
                chip: chip, register: register, expected: expected, found: found[index], at: bus.chip(address))
        }
    }

    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        gain = .one
        isGainNew = true
        isStatusDead = false
        try bus.set(HMCMode.idle, at: address)
        try bus.set(configurationA, at: address)
        try bus.set(gain, at: address)
        // Reading all registers up to the last data register also clears the data of an earlier measurement.
        let row = try bus.readRegisters(9, from: HMCConfigurationA.register, at: address)
        guard row[0] == configurationA.rawValue else {
            throw .wrongIdentity(
                chip: chip, register: HMCConfigurationA.register, expected: configurationA.rawValue, found: row[0],
                at: bus.chip(address))
        }
    }

    mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        if isGainNew {
            try bus.set(HMCMode.single, at: address)
            bus.wait(microseconds: Self.conversionTime)
            _ = try measurement(over: &bus)
            isGainNew = false
        }
        try bus.set(HMCMode.single, at: address)
        return Self.conversionTime
    }

    /// Reads the measurement from the data registers, which are in the order X, Z, Y.
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try measurement(over: &bus)
        let counts = SIMD3(row.signedBigEndian(at: 3), row.signedBigEndian(at: 7), row.signedBigEndian(at: 5))
        // The scale for the gain of this measurement; the lines below can change the gain for the next one.
        let scale = scales.countsPerGauss(gain)
        let isSaturated = any(counts .== Self.overflow)
        if isSaturated {
            try step(to: gain.coarser, over: &bus)
        } else if all(counts .< Self.smallCount) && all(counts .> -Self.smallCount) {
            try step(to: gain.finer, over: &bus)
        }
        let field = SIMD3<Double>(counts) * 100 / SIMD3(scale.xy, scale.xy, scale.z)
        return MagnetometerReading(field: field, isSaturated: isSaturated)
    }

    private mutating func step(
        to next: HMCGain?, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        guard let next else { return }
        gain = next
        isGainNew = true
        try bus.set(gain, at: address)
    }

    /// Reads registers 0 to 8, with waits in between, until they hold a new measurement.
    private mutating func measurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes {
        for _ in 0..<4 {
            let status = try isStatusDead ? HMCRegister.isReady : bus.readRegister(HMCRegister.status, at: address)
            if status & HMCRegister.isReady != 0, let row = try finishedRow(over: &bus) { return row }
            bus.wait(microseconds: Self.conversionTime / 2)
        }
        guard let row = try finishedRow(over: &bus) else { throw .notReady(chip: chip, at: bus.chip(address)) }
        isStatusDead = true
        return row
    }

    /// Reads registers 0 to 8; nil while the mode register shows that the chip is still measuring.
    private func finishedRow(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes? {
        let row = try bus.readRegisters(9, from: HMCConfigurationA.register, at: address)
        guard row[0] == configurationA.rawValue, row[1] == gain.rawValue else {
            throw .wasReset(chip: chip, at: bus.chip(address))
        }
        return row[2] & HMCRegister.isIdle != 0 ? row : nil
    }
}
