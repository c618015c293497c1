extension I2CBus where Self: ~Copyable {
    /// Reads consecutive registers until a bit of one byte is set, at most `attempts` times, and returns the bytes of
    /// the last read.
    ///
    /// More than one attempt is needed if a caller reads too early, because its clock or the chip's is inexact.
    public mutating func readRow(
        _ count: Int, from register: UInt8, at address: I2CAddress, until bit: UInt8, in index: Int,
        every microseconds: Int, attempts: Int = 2
    ) throws(ChipError) -> RegisterBytes {
        var row = try readRegisters(count, from: register, at: address)
        for _ in 1..<attempts {
            if row[index] & bit != 0 { break }
            wait(microseconds: microseconds)
            row = try readRegisters(count, from: register, at: address)
        }
        return row
    }

    /// Whether a status bit is set at once or, if not, at a second reading `microseconds` later.
    public mutating func isSet(
        _ bit: UInt8, in register: UInt8, at address: I2CAddress, orAfter microseconds: Int
    ) throws(ChipError) -> Bool {
        try readRow(1, from: register, at: address, until: bit, in: 0, every: microseconds)[0] & bit != 0
    }
}
