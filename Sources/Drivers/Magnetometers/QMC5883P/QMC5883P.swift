public import Hardware

/// QST's QMC5883P: another chip than the QMC5883L, with another register file and address.
///
/// Source: QST 13-52-19. The scale of ±8 G is 3750 counts per gauss and that of ±2 G 15000, by the data sheet and
/// Adafruit's driver; ArduPilot's 3000 and PX4's 12000 are the QMC5883L's, and a quarter off.
///
/// The signs of the axes go as 0x06 into register 0x29, as in the data sheet's examples. ArduPilot and Betaflight write
/// 0x29 into 0x06, a data register; Linux, PX4 and Adafruit leave the signs as they are after reset. Either way the frame
/// is right-handed, for PX4 makes its own of the other by a rotation: a board that was measured with one of those may
/// have to be turned round in its mounting. A status that is read loses its DRDY, so it is read once per attempt.
public struct QMC5883P: MagnetometerChip {
    public static let model = MagnetometerModel.qmc5883p
    public static let addresses = [I2CAddress(0x2C)]
    /// In the range of ±8 G.
    private static let countsPerGauss = 3750.0
    public let address: I2CAddress

    enum Register: UInt8 {
        case identity = 0x00
        case data = 0x01
        case status = 0x09
        case control1 = 0x0A
        case control2 = 0x0B
        case signs = 0x29
    }

    /// Control register 1: filter in bits 7 and 6, oversampling in 5 and 4, rate in 3 and 2, mode in 1 and 0.
    enum Control1 {
        /// The filter at 8, the oversampling at 8, 200 Hz.
        static let suspend: UInt8 = 0b11_00_11_00
        static let single: UInt8 = suspend | 0b10
    }

    /// Control register 2: the range in bits 3 and 2, set and reset in 1 and 0.
    enum Control2 {
        static let softReset: UInt8 = 0x80
        /// ±8 G, with set and reset pulses.
        static let range: UInt8 = 0b10_00
    }

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0x80, in: Register.identity.rawValue, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try write(.control2, Control2.softReset, over: &bus)
        bus.wait(microseconds: 2000)
        try write(.control2, 0, over: &bus)
        try write(.signs, 0x06, over: &bus)
        try write(.control2, Control2.range, over: &bus)
        try write(.control1, Control1.suspend, over: &bus)
    }

    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // What the status says from before must not count as new.
        _ = try bus.readRegister(Register.status.rawValue, at: address)
        try write(.control1, Control1.single, over: &bus)
        return 10_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        for _ in 0..<5 {
            let state = try bus.readRegisters(3, from: Register.status.rawValue, at: address)
            guard state[2] == Control2.range else { throw .wasReset(chip: name, at: bus.place(address)) }
            if state[0] & 0x01 != 0 { return try finish(isSaturated: state[0] & 0x02 != 0, over: &bus) }
            bus.wait(microseconds: 4000)
        }
        throw .notReady(chip: name, at: bus.place(address))
    }

    /// A single measurement ends in suspend by itself.
    private func finish(
        isSaturated: Bool, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRegisters(6, from: Register.data.rawValue, at: address)
        return MagnetometerReading(field: row.vector(at: 0) * (100 / Self.countsPerGauss), isSaturated: isSaturated)
    }

    private func write(
        _ register: Register, _ value: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try bus.writeRegister(register.rawValue, value, at: address)
    }
}
