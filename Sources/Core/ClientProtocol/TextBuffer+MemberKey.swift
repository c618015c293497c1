internal import ClientVocabulary
internal import JSON
internal import Units

/// Members under the protocol's keys; as in `JSON`, a value that is absent leaves the member out.
extension TextBuffer {
    mutating func member(_ key: MemberKey, _ value: Double?, decimals: Int) {
        member(key) { $0.member("", value, decimals: decimals) }
    }

    mutating func member(_ key: MemberKey, _ value: Int?) { member(key) { $0.member("", value) } }

    mutating func member(_ key: MemberKey, _ value: Bool?) { member(key) { $0.member("", value) } }

    mutating func member(_ key: MemberKey, _ value: UTCInstant?) { member(key) { $0.member("", value) } }

    mutating func member(_ key: MemberKey, _ value: String?) { member(key) { $0.member("", value) } }

    mutating func member(_ key: MemberKey, literal value: StaticString) {
        member(key) { $0.member("", literal: value) }
    }

    /// Begins an object that is a member; end it with `endElement`.
    mutating func beginObject(_ key: MemberKey) { member(key) { $0.beginObject() } }

    mutating func beginArray(_ key: MemberKey) { member(key) { $0.beginArray("") } }

    /// Writes a key, and takes it back where no value follows.
    @inline(__always)
    mutating func member(_ key: MemberKey, _ writeValue: (inout TextBuffer) -> Void) {
        let start = count
        append(0x22)
        append(key.rawValue.utf8Span.span)
        append("\":" as StaticString)
        let end = count
        writeValue(&self)
        if count == end { truncate(to: start) }
    }
}
