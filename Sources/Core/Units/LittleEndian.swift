extension Span where Element == UInt8 {
    /// The integer whose least significant byte is at `offset` and whose other bytes follow.
    ///
    /// An offset past the end traps: decoders check the length before they read.
    @inlinable
    public func littleEndian<Value: FixedWidthInteger>(at offset: Int) -> Value {
        var value: Value = 0
        for index in 0..<(Value.bitWidth / 8) {
            value |= Value(truncatingIfNeeded: self[offset + index]) << (8 * index)
        }
        return value
    }
}
