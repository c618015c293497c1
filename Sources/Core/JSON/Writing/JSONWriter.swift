public import SextantUnits

/// Functions that write JSON objects into a `TextBuffer`; they add commas and quotes, and leave out members whose value
/// is nil.
extension TextBuffer {
    /// Begins an object, either as the top-level value or as an array element.
    @inlinable @inline(__always)
    public mutating func beginObject() { append(0x7B) }

    /// Ends an object, and removes the comma after its last member.
    @inlinable @inline(__always)
    public mutating func endObject() { end(0x7D) }

    @inlinable @inline(__always)
    public mutating func beginArray(_ key: StaticString) {
        append(key)
        append(0x5B)
    }

    @inlinable @inline(__always)
    public mutating func endArray() {
        end(0x5D)
        append(0x2C)
    }

    /// Ends an object that is an array's element or a member's value, and writes the comma after it.
    @inlinable @inline(__always)
    public mutating func endElement() {
        endObject()
        append(0x2C)
    }

    /// Begins a member whose value is an object; the caller must end the object with `endElement`.
    @inlinable @inline(__always)
    public mutating func beginObject(_ key: StaticString) {
        append(key)
        append(0x7B)
    }

    /// Writes a member with a number; `key` is written unchanged, so it must contain its quotes and colon.
    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: Double?, decimals: Int) {
        guard let value else { return }
        let start = count
        append(key)
        if !self.value(value, decimals: decimals) { truncate(to: start) }
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        append(key)
        self.value(value)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: Bool?) {
        guard let value else { return }
        append(key)
        self.value(value)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, _ value: UTCInstant?) {
        guard let value else { return }
        append(key)
        self.value(value)
    }

    @inlinable @inline(__always)
    public mutating func member(_ key: StaticString, literal value: StaticString) {
        append(key)
        self.value(literal: value)
    }

    public mutating func member(_ key: StaticString, _ value: String?) {
        guard let value else { return }
        append(key)
        self.value(value)
    }

    // MARK: Values behind their keys, each with its comma

    /// - Returns: Whether the number was written; an infinite or too large one, or NaN, is not.
    @inlinable @inline(__always)
    public mutating func value(_ value: Double, decimals: Int) -> Bool {
        guard append(value, decimals: decimals) else { return false }
        append(0x2C)
        return true
    }

    @inlinable @inline(__always)
    public mutating func value(_ value: some FixedWidthInteger) {
        append(number: value)
        append(0x2C)
    }

    @inlinable @inline(__always)
    public mutating func value(_ value: Bool) {
        if value { append("true," as StaticString) } else { append("false," as StaticString) }
    }

    @inlinable @inline(__always)
    public mutating func value(_ value: UTCInstant) {
        append(0x22)
        append(value)
        append("\"," as StaticString)
    }

    @inlinable @inline(__always)
    public mutating func value(literal: StaticString) {
        append(0x22)
        append(literal)
        append("\"," as StaticString)
    }

    public mutating func value(_ value: String) {
        string(value)
        append(0x2C)
    }

    /// Writes a quoted string, escaped as RFC 8259, section 7, requires.
    public mutating func string(_ text: String) {
        append(0x22)
        for byte in text.utf8 { escape(byte) }
        append(0x22)
    }

    private mutating func escape(_ byte: UInt8) {
        switch byte {
        case 0x22, 0x5C:
            append(0x5C)
            append(byte)
        case 0x0A: append("\\n" as StaticString)
        case 0x0D: append("\\r" as StaticString)
        case 0x09: append("\\t" as StaticString)
        case 0x00..<0x20:
            append("\\u00" as StaticString)
            append(byte >> 4 < 10 ? 0x30 + byte >> 4 : 0x57 + byte >> 4)
            append(byte & 15 < 10 ? 0x30 + byte & 15 : 0x57 + byte & 15)
        default: append(byte)
        }
    }

    @inlinable @inline(__always)
    mutating func end(_ bracket: UInt8) {
        withdrawComma()
        append(bracket)
    }

    @inlinable @inline(__always)
    mutating func withdrawComma() {
        if count > 0, lastByte == 0x2C { truncate(to: count - 1) }
    }
}
