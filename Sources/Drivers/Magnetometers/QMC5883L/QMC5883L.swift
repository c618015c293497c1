public import Hardware

/// QST's QMC5883L.
///
/// Source: QST's data sheet, revisions 1.0 and A. It has no single mode: it measures continuously from `start` to the
/// end of `read`. The status is read before the data and not with them, because a data byte that is read clears DRDY;
/// DRDY is bit 0 (bit 2, which some drivers poll, says that a measurement was lost).
public struct QMC5883L: MagnetometerChip {
    public static let model = MagnetometerModel.qmc5883l
    public static let addresses = [I2CAddress(0x0D)]
    /// In the range of ±8 G.
    private static let countsPerGauss = 3000.0
    public let address: I2CAddress

    enum Register: UInt8 {
        case data = 0x00
        case status = 0x06
        case control1 = 0x09
        case control2 = 0x0A
        case setResetPeriod = 0x0B
        case reserved = 0x0C
        case identity = 0x0D
    }

    /// Control register 1: oversampling in bits 7 and 6, range in 5 and 4, rate in 3 and 2, mode in 1 and 0.
    enum Control1 {
        /// Oversampling 512, ±8 G, 200 Hz.
        static let standby: UInt8 = 0b00_01_11_00
        static let continuous: UInt8 = standby | 0b01
    }

    enum Control2 {
        static let softReset: UInt8 = 0x80
        /// The pin DRDY is not used.
        static let noInterrupt: UInt8 = 0x01
    }

    public init(at address: I2CAddress) { self.address = address }

    /// The identity register holds 0xFF, which is weak; two flight stacks check 1 in the register before it as well.
    ///
    /// Register 0 is read first: before that the identity is unreliable.
    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        _ = try bus.readRegister(Register.data.rawValue, at: address)
        try expect(0x01, in: Register.reserved.rawValue, at: address, over: &bus)
        try expect(0xFF, in: Register.identity.rawValue, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try write(.control2, Control2.softReset, over: &bus)
        bus.wait(microseconds: 1000)
        try write(.control2, Control2.noInterrupt, over: &bus)
        // The data sheet recommends 1 for the period of the set and reset pulses.
        try write(.setResetPeriod, 0x01, over: &bus)
        try write(.control1, Control1.standby, over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // What is there from before must not count as new.
        _ = try bus.readRegisters(6, from: Register.data.rawValue, at: address)
        try write(.control1, Control1.continuous, over: &bus)
        return 10_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        for _ in 0..<5 {
            let state = try bus.readRegisters(6, from: Register.status.rawValue, at: address)
            guard state[3] == Control1.continuous, state[5] == 0x01 else {
                throw .wasReset(chip: name, at: bus.place(address))
            }
            if state[0] & 0x01 != 0 { return try finish(isSaturated: state[0] & 0x02 != 0, over: &bus) }
            bus.wait(microseconds: 2000)
        }
        throw .notReady(chip: name, at: bus.place(address))
    }

    private func finish(
        isSaturated: Bool, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRegisters(6, from: Register.data.rawValue, at: address)
        try write(.control1, Control1.standby, over: &bus)
        return MagnetometerReading(field: row.vector(at: 0) * (100 / Self.countsPerGauss), isSaturated: isSaturated)
    }

    private func write(
        _ register: Register, _ value: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try bus.writeRegister(register.rawValue, value, at: address)
    }
}
