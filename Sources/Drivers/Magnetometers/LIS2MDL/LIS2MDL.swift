public import Hardware

/// ST's LIS2MDL, which is also the magnetometer of the LSM303AGR.
///
/// Source: ST DS12144, AN5069 and DocID027765. The bridge's offset is cancelled by set and reset pulses, of which two in
/// a row must meet: in single mode that takes two measurements to be averaged, and users report that with both bits of
/// cancellation none ends. So the chip measures continuously from `start` until its second output, whose arrival
/// over the unread first sets the overrun bit, and is idle between. Temperature compensation must be on.
///
/// The package's drawing is left-handed (DS12144, section 1.2): ST's own fusion examples give it north, east, up, and
/// Betaflight, Phoenix-RTOS and PX4 have found the same. Z is negated here, as PX4 proposed for the LSM303AGR, since a
/// mounting names where X and Y of the drawing point. Betaflight negates X, and Phoenix-RTOS Y: they have the mounting
/// that goes with it.
public struct LIS2MDL: MagnetometerChip {
    public static let model = MagnetometerModel.lis2mdl
    public static let addresses = [I2CAddress(0x1E)]
    /// 1.5 mG per count.
    ///
    /// Unit: microtesla.
    private static let microteslaPerCount = 0.15
    public let address: I2CAddress

    enum Register: UInt8 {
        case identity = 0x4F
        case configurationA = 0x60
        case configurationB = 0x61
        case configurationC = 0x62
        case data = 0x68
    }

    /// Configuration register A: temperature compensation in bit 7, reset in 5, rate in 3 and 2, mode in 1 and 0.
    enum ConfigurationA {
        static let reset: UInt8 = 0b10_0000
        /// 100 Hz, compensated.
        static let continuous: UInt8 = 0b1000_11_00
        static let idle: UInt8 = continuous | 0b11
    }

    /// Configuration register B: offset cancellation in bit 1.
    enum ConfigurationB {
        static let offsetCancellation: UInt8 = 0b10
    }

    /// Configuration register C: block update in bit 4; the low byte comes first.
    enum ConfigurationC {
        static let blockUpdate: UInt8 = 0x10
    }

    public init(at address: I2CAddress) { self.address = address }

    public static func checkIdentity(
        at address: I2CAddress, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try expect(0x40, in: Register.identity.rawValue, at: address, over: &bus)
    }

    public mutating func configure(over bus: inout some I2CBus & ~Copyable) throws(ChipError) {
        try write(.configurationA, ConfigurationA.reset, over: &bus)
        bus.wait(microseconds: 1000)
        try write(.configurationA, ConfigurationA.idle, over: &bus)
        try write(.configurationB, ConfigurationB.offsetCancellation, over: &bus)
        try write(.configurationC, ConfigurationC.blockUpdate, over: &bus)
    }

    /// The turn-on time is 9.4 ms, and two outputs are 10 ms apart.
    public mutating func start(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> Int {
        // What is there from before must not count as the first output.
        _ = try bus.readRegisters(6, from: Register.data.rawValue, at: address)
        try write(.configurationA, ConfigurationA.continuous, over: &bus)
        return 21_000
    }

    public mutating func read(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        for attempt in 0..<6 {
            // Configuration A to C; its interrupt's four; the status.
            let state = try bus.readRegisters(8, from: Register.configurationA.rawValue, at: address)
            guard state[0] == ConfigurationA.continuous, state[2] == ConfigurationC.blockUpdate else {
                throw .wasReset(chip: name, at: bus.place(address))
            }
            // By the last attempt there was time for three.
            let isSecond = state[7] & 0x80 != 0 || attempt == 5
            if state[7] & 0x08 != 0, isSecond { return try finish(over: &bus) }
            bus.wait(microseconds: 5000)
        }
        throw .notReady(chip: name, at: bus.place(address))
    }

    private func finish(over bus: inout some I2CBus & ~Copyable) throws(ChipError) -> MagnetometerReading {
        let row = try bus.readRegisters(6, from: Register.data.rawValue, at: address)
        try write(.configurationA, ConfigurationA.idle, over: &bus)
        let field = row.vector(at: 0) * SIMD3(1, 1, -1) * Self.microteslaPerCount
        return MagnetometerReading(field: field, isSaturated: row.isAtEnd(at: 0))
    }

    private func write(
        _ register: Register, _ value: UInt8, over bus: inout some I2CBus & ~Copyable
    ) throws(ChipError) {
        try bus.writeRegister(register.rawValue, value, at: address)
    }
}
