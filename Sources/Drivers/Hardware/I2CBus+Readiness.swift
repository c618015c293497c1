extension I2CBus where Self: ~Copyable {
    /// Whether a bit of a chip's status is set, if not now then after as long again as the measurement takes.
    ///
    /// Who reads early, because his clock or the chip's is not exact, so gets his measurement all the same.
    public mutating func isSet(
        _ bit: UInt8, in register: UInt8, at address: I2CAddress, orAfter microseconds: Int
    ) throws(ChipError) -> Bool {
        if try readRegister(register, at: address) & bit != 0 { return true }
        wait(microseconds: microseconds)
        return try readRegister(register, at: address) & bit != 0
    }

    /// Reads a row that has such a bit in one of its bytes, a second time where the bit is not yet set.
    public mutating func readRow(
        _ count: Int, from register: UInt8, at address: I2CAddress, until bit: UInt8, in index: Int,
        orAfter microseconds: Int
    ) throws(ChipError) -> RegisterBytes {
        let row = try readRegisters(count, from: register, at: address)
        if row[index] & bit != 0 { return row }
        wait(microseconds: microseconds)
        return try readRegisters(count, from: register, at: address)
    }
}
