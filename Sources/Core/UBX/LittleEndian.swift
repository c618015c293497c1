/// Little-endian reads from a span of bytes; all UBX fields are little-endian.
///
/// An offset past the end traps: decoders check the length before they read.
extension Span where Element == UInt8 {

    @inline(__always)
    func int8(at offset: Int) -> Int8 { Int8(bitPattern: self[offset]) }

    @inline(__always)
    func uint16(at offset: Int) -> UInt16 {
        // Safety: the load checks its bounds, and every bit pattern is a UInt16.
        UInt16(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt16.self))
    }

    @inline(__always)
    func int16(at offset: Int) -> Int16 { Int16(bitPattern: uint16(at: offset)) }

    @inline(__always)
    func uint32(at offset: Int) -> UInt32 {
        // Safety: the load checks its bounds, and every bit pattern is a UInt32.
        UInt32(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt32.self))
    }

    @inline(__always)
    func int32(at offset: Int) -> Int32 { Int32(bitPattern: uint32(at: offset)) }

    @inline(__always)
    func uint64(at offset: Int) -> UInt64 {
        // Safety: the load checks its bounds, and every bit pattern is a UInt64.
        UInt64(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
}

extension [UInt8] {
    @inline(__always)
    mutating func append(littleEndian value: some FixedWidthInteger) {
        var rest = value
        for _ in 0..<(value.bitWidth / 8) {
            append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Appends `count` zero bytes for fields that the layout reserves.
    mutating func append(reserved count: Int) {
        for _ in 0..<count { append(0) }
    }
}

extension FixedWidthInteger {
    /// One bit of a bit field; bit 0 is the least significant, as in the manuals.
    @inline(__always)
    subscript(bit index: Int) -> Bool {
        get { self & (1 << index) != 0 }
        set { self = newValue ? self | (1 << index) : self & ~(1 << index) }
    }

    /// `count` bits of a bit field, of which `first` is the least significant.
    @inline(__always)
    subscript(bits first: Int, count count: Int) -> Self {
        get { (self >> first) & ((1 << count) - 1) }
        set {
            let mask: Self = (1 << count) - 1
            self = (self & ~(mask << first)) | ((newValue & mask) << first)
        }
    }
}
