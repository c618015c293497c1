public import ClientVocabulary
public import SextantJSON
public import SextantUnits

/// Functions that append JSON members with the keys of the daemon's protocol; a nil value appends no member.
extension TextBuffer {
    @inline(__always)
    public mutating func member(_ key: MemberKey, _ value: Double?, decimals: Int) {
        guard let value else { return }
        let start = count
        append(key: key.text)
        if !self.value(value, decimals: decimals) { truncate(to: start) }
    }

    @inline(__always)
    public mutating func member(_ key: MemberKey, _ value: (some FixedWidthInteger)?) {
        guard let value else { return }
        append(key: key.text)
        self.value(value)
    }

    @inline(__always)
    public mutating func member(_ key: MemberKey, _ value: Bool?) {
        guard let value else { return }
        append(key: key.text)
        self.value(value)
    }

    @inline(__always)
    public mutating func member(_ key: MemberKey, _ value: UTCInstant?) {
        guard let value else { return }
        append(key: key.text)
        self.value(value)
    }

    @inline(__always)
    public mutating func member(_ key: MemberKey, literal value: StaticString) {
        append(key: key.text)
        self.value(literal: value)
    }

    @inline(__always)
    public mutating func member(_ key: MemberKey, _ value: String?) {
        guard let value else { return }
        append(key: key.text)
        self.value(value)
    }

    /// Begins a member whose value is an object; the caller must end the object with `endElement`.
    @inline(__always)
    public mutating func beginObject(_ key: MemberKey) {
        append(key: key.text)
        beginObject()
    }

    @inline(__always)
    public mutating func beginArray(_ key: MemberKey) {
        append(key: key.text)
        append(0x5B)
    }
}
