extension I2CBus where Self: ~Copyable {
    /// Reads one register for a chip's driver, and throws the bus's error as a `ChipError`.
    public mutating func readRegister(_ register: UInt8, at address: I2CAddress) throws(ChipError) -> UInt8 {
        try readRegisters(1, from: register, at: address)[0]
    }

    /// Reads consecutive registers for a chip's driver, and throws the bus's error as a `ChipError`.
    public mutating func readRegisters(
        _ count: Int, from register: UInt8, at address: I2CAddress
    ) throws(ChipError) -> RegisterBytes {
        do { return try read(count, from: register, at: address) } catch { throw .bus(error) }
    }

    /// Writes one register for a chip's driver, and throws the bus's error as a `ChipError`.
    public mutating func writeRegister(
        _ register: UInt8, _ value: UInt8, at address: I2CAddress
    ) throws(ChipError) {
        do { try write(value, to: register, at: address) } catch { throw .bus(error) }
    }
}
