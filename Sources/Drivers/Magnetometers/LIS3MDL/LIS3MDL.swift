public import Hardware

/// ST's LIS3MDL, in single conversions of its ultra-high performance mode.
///
/// Source: ST DocID024204 and AN4602. A row of registers is read only where bit 7 of the sub-address is set. The chip
/// has no overflow bit: a value beyond ±4 G, the range, counts as one. Its frame is right-handed.
public struct LIS3MDL: MagnetometerChip {
    public static let model = MagnetometerModel.lis3mdl
    public static let addresses = [I2CAddress(0x1C), I2CAddress(0x1E)]
    /// In the range of ±4 G.
    private static let countsPerGauss = 6842.0
    /// Beyond this the range of ±4 G ends.
    ///
    /// Unit: microtesla.
    private static let range = 400.0
    public let address: I2CAddress

    enum Register: UInt8 {
        case identity = 0x0F
        case control1 = 0x20
        case control2 = 0x21
        case control3 = 0x22
        case control4 = 0x23
        case control5 = 0x24
        /// Bit 7 of a sub-address: the pointer moves on.
        static let row: UInt8 = 0x80
    }

    /// Control register 1: mode of X and Y in bits 6 and 5, rate in 4 to 2.
    enum Control1 {
        /// Ultra-high performance; 80 Hz, at most which single conversions are for.
        static let ultraHighPerformance: UInt8 = 0b0_11_111_00
    }

    /// Control register 2: the range in bits 6 and 5.
    enum Control2 {
        static let gauss4: UInt8 = 0b00_00000
    }

    /// Control register 3: the mode in bits 1 and 0.
    enum Control3 {
        static let single: UInt8 = 0b01
        static let powerDown: UInt8 = 0b11
    }

    /// Control register 4: the mode of Z in bits 3 and 2.
    enum Control4 {
        static let ultraHighPerformance: UInt8 = 0b11_00
    }

    /// Control register 5: block update in bit 6.
    enum Control5 {
        static let blockUpdate: UInt8 = 0x40
    }

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0x3D, in: Register.identity.rawValue, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try write(.control3, Control3.powerDown, over: &bus)
        try write(.control1, Control1.ultraHighPerformance, over: &bus)
        try write(.control2, Control2.gauss4, over: &bus)
        try write(.control4, Control4.ultraHighPerformance, over: &bus)
        try write(.control5, Control5.blockUpdate, over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // What is there from before must not count as new.
        _ = try row(over: &bus)
        try write(.control3, Control3.single, over: &bus)
        return 13_000
    }

    /// A single conversion ends in power-down by itself.
    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        for _ in 0..<5 {
            let row = try row(over: &bus)
            guard row[0] == Control1.ultraHighPerformance, row[4] == Control5.blockUpdate else {
                throw .wasReset(chip: name, at: bus.place(address))
            }
            if row[7] & 0x08 != 0 {
                let field = row.vector(at: 8) * (100 / Self.countsPerGauss)
                let isSaturated = any(field .>= Self.range .| field .<= -Self.range)
                return MagnetometerReading(field: field, isSaturated: isSaturated)
            }
            bus.wait(microseconds: 3000)
        }
        throw .notReady(chip: name, at: bus.place(address))
    }

    /// Control registers 1 to 5, two that are reserved, the status, and the data.
    private func row(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> RegisterBytes {
        try bus.readRegisters(14, from: Register.control1.rawValue | Register.row, at: address)
    }

    private func write(
        _ register: Register, _ value: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try bus.writeRegister(register.rawValue, value, at: address)
    }
}
