/// Writes a durable record byte after byte, little-endian.
public struct RecordWriter {
    public private(set) var bytes: [UInt8] = []

    public init() {}

    public mutating func write(_ value: some FixedWidthInteger) {
        for place in 0..<(value.bitWidth / 8) { bytes.append(UInt8(truncatingIfNeeded: value >> (8 * place))) }
    }

    /// Writes the 8 bytes of IEEE 754.
    public mutating func write(_ value: Double) { write(value.bitPattern) }

    /// Writes a text: its length in 2 bytes, then its UTF-8, at most 65 535 bytes.
    public mutating func write(_ text: String) {
        precondition(text.utf8.count <= Int(UInt16.max), "a text of a durable record is at most 65 535 bytes long")
        write(UInt16(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    public mutating func write(raw more: [UInt8]) { bytes.append(contentsOf: more) }
}

/// Reads what a `RecordWriter` wrote; every step is nil where the record ends too soon.
///
/// It works on a copy, because records are read when the daemon starts and not after.
public struct RecordReader {
    private let bytes: [UInt8]
    private var offset = 0

    public init(_ span: Span<UInt8>) {
        var copy: [UInt8] = []
        copy.reserveCapacity(span.count)
        for index in span.indices { copy.append(span[index]) }
        bytes = copy
    }

    public var isAtEnd: Bool { offset == bytes.count }

    public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
        guard let next = raw(Value.bitWidth / 8) else { return nil }
        return next.reversed().reduce(0) { value, byte in value << 8 | Value(truncatingIfNeeded: byte) }
    }

    public mutating func double() -> Double? { integer(UInt64.self).map { Double(bitPattern: $0) } }

    /// Reads a text; nil where the record ends too soon or the text is not UTF-8.
    public mutating func text() -> String? {
        guard let length = integer(UInt16.self), let units = raw(Int(length)) else { return nil }
        return String(validating: units, as: UTF8.self)
    }

    /// Reads the next `count` bytes; nil where fewer are left.
    public mutating func raw(_ count: Int) -> ArraySlice<UInt8>? {
        guard bytes.count - offset >= count else { return nil }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }
}
