/// Up to 32 bytes of a chip's registers, in the order of their addresses, stored without an allocation.
///
/// An SMBus block has at most 32 bytes, and the kernel supports such blocks on every adapter.
public struct RegisterBytes: Sendable {
    /// The largest number of registers in one transfer.
    public static let capacity = 32

    private var bytes = InlineArray<32, UInt8>(repeating: 0)
    public private(set) var count = 0

    public init() {}

    public init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { append(byte) }
    }

    public subscript(index: Int) -> UInt8 {
        precondition(index < count, "no register was read there")
        return bytes[index]
    }

    public mutating func append(_ byte: UInt8) {
        precondition(count < RegisterBytes.capacity, "at most 32 registers are read in a row")
        bytes[count] = byte
        count += 1
    }

    /// The signed 16-bit value with its low byte at `index` and its high byte at `index + 1`.
    public func signedLittleEndian(at index: Int) -> Int {
        Int(Int16(bitPattern: UInt16(self[index + 1]) << 8 | UInt16(self[index])))
    }

    /// The signed 16-bit value with its high byte at `index` and its low byte at `index + 1`.
    public func signedBigEndian(at index: Int) -> Int {
        Int(Int16(bitPattern: UInt16(self[index]) << 8 | UInt16(self[index + 1])))
    }
}
