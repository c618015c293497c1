/// Up to 32 bytes of a chip's registers, in the order of their addresses, without an allocation.
///
/// 32 is the longest block of SMBus, which is what the kernel passes through for every adapter.
public struct RegisterBytes: Sendable {
    /// The longest row of registers.
    public static let capacity = 32

    private var bytes = InlineArray<32, UInt8>(repeating: 0)
    public private(set) var count = 0

    public init() {}

    public subscript(index: Int) -> UInt8 {
        precondition(index < count, "no register was read there")
        return bytes[index]
    }

    public mutating func append(_ byte: UInt8) {
        precondition(count < RegisterBytes.capacity, "at most 32 registers are read in a row")
        bytes[count] = byte
        count += 1
    }

    /// The two's complement in the bytes `index` (low) and `index + 1` (high).
    public func signedLittleEndian(at index: Int) -> Int {
        Int(Int16(bitPattern: UInt16(self[index + 1]) << 8 | UInt16(self[index])))
    }

    /// The two's complement in the bytes `index` (high) and `index + 1` (low).
    public func signedBigEndian(at index: Int) -> Int {
        Int(Int16(bitPattern: UInt16(self[index]) << 8 | UInt16(self[index + 1])))
    }
}
