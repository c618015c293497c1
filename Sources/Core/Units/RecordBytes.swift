/// Writes values one after the other as bytes, little-endian.
public struct RecordWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func write(_ value: some FixedWidthInteger) {
        for index in 0..<(value.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * index))) }
    }

    /// Writes a number as the 8 bytes of IEEE 754.
    public mutating func write(_ value: Double) { write(value.bitPattern) }

    /// Writes a text: its length in 2 bytes, then its UTF-8, at most 65 535 bytes.
    public mutating func write(_ text: String) {
        precondition(text.utf8.count <= Int(UInt16.max), "a text of a record is at most 65 535 bytes long")
        write(UInt16(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    public mutating func write(raw more: [UInt8]) { bytes.append(contentsOf: more) }
}
