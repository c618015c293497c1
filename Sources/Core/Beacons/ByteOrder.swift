extension Span where Element == UInt8 {
    /// Reads an integer with its least significant byte first, as Bluetooth's own fields are.
    ///
    /// An offset past the end traps: decoders check the length before they read.
    func littleEndian<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value {
        bigEndian(Value.self, at: offset).byteSwapped
    }

    /// Reads an integer with its most significant byte first, as the fields of beacons are.
    func bigEndian<Value: FixedWidthInteger>(_: Value.Type, at offset: Int) -> Value {
        var value: Value = 0
        for index in offset..<offset + Value.bitWidth / 8 {
            value = value << 8 | Value(truncatingIfNeeded: self[index])
        }
        return value
    }
}

extension [UInt8] {
    mutating func append<Value: FixedWidthInteger>(littleEndian value: Value) {
        for index in 0..<Value.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    mutating func append<Value: FixedWidthInteger>(bigEndian value: Value) {
        append(littleEndian: value.byteSwapped)
    }
}
