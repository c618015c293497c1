internal import Hardware

/// The register file that the HMC5883L and the LSM303DLHC's magnetometer share.
///
/// Source: Honeywell 900405 revision E; ST DocID018771. A measurement beyond the range steps the gain down, and small
/// ones step it up again; the first measurement after a change of gain is of the old one and discarded, as Honeywell's
/// example says. All six data bytes are read each time: the chip puts nothing new there before. RDY alone does not say
/// that data are new, for it does not fall when they are read; the mode register, which goes from single to idle, does.
struct HMCRegisterFile: Sendable {
    /// What a data register holds when its axis was beyond the range.
    static let overflow = -4096
    /// Less than this on each axis fits the next finer gain as well, which is at most 1.5 times as fine.
    static let smallCount = 600
    /// A single measurement takes 6 ms; some more for the clock's tolerance.
    ///
    /// Unit: microseconds.
    static let conversionTime = 7000

    let chip: String
    let address: I2CAddress
    let configurationA: HMCConfigurationA
    let scales: HMCScales
    private var gain = HMCGain.one
    private var isGainNew = true
    /// Whether the status register never said ready when a measurement was there.
    private var isStatusDead = false

    init(chip: String, address: I2CAddress, configurationA: HMCConfigurationA, scales: HMCScales) {
        self.chip = chip
        self.address = address
        self.configurationA = configurationA
        self.scales = scales
    }

    /// The identification registers hold "H43".
    static func checkIdentity(
        of chip: String, at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        let found = try bus.readRegisters(3, from: HMCRegister.identification, at: address)
        for (index, expected) in HMCRegister.identity.enumerated() where found[index] != expected {
            let register = HMCRegister.identification + UInt8(index)
            throw .wrongIdentity(
                chip: chip, register: register, expected: expected, found: found[index], at: bus.place(address))
        }
    }

    mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        gain = .one
        isGainNew = true
        isStatusDead = false
        try bus.set(HMCMode.idle, at: address)
        try bus.set(configurationA, at: address)
        try bus.set(gain, at: address)
        // From the first register to the last of the data: this takes what was measured before out of them, too.
        let row = try bus.readRegisters(9, from: HMCConfigurationA.register, at: address)
        guard row[0] == configurationA.rawValue else {
            throw .wrongIdentity(
                chip: chip, register: HMCConfigurationA.register, expected: configurationA.rawValue, found: row[0],
                at: bus.place(address))
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

    /// The order of the data is X, Z, Y.
    mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try measurement(over: &bus)
        let counts = SIMD3(row.signedBigEndian(at: 3), row.signedBigEndian(at: 7), row.signedBigEndian(at: 5))
        // Of the gain that it was measured with, which what follows may change.
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

    /// Registers 0 to 8 once a new measurement is in them.
    private mutating func measurement(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes {
        for _ in 0..<4 {
            let status = try isStatusDead ? HMCRegister.isReady : bus.readRegister(HMCRegister.status, at: address)
            if status & HMCRegister.isReady != 0, let row = try finishedRow(over: &bus) { return row }
            bus.wait(microseconds: Self.conversionTime / 2)
        }
        guard let row = try finishedRow(over: &bus) else { throw .notReady(chip: chip, at: bus.place(address)) }
        isStatusDead = true
        return row
    }

    /// Registers 0 to 8; nil while the chip still measures, which its mode register says.
    private func finishedRow(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes? {
        let row = try bus.readRegisters(9, from: HMCConfigurationA.register, at: address)
        guard row[0] == configurationA.rawValue, row[1] == gain.rawValue else {
            throw .wasReset(chip: chip, at: bus.place(address))
        }
        return row[2] & HMCRegister.isIdle != 0 ? row : nil
    }
}
