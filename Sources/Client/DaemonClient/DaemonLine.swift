public import ClientVocabulary
public import SextantJSON
public import SextantUnits

/// A line of JSON from the daemon, or an object within such a line.
///
/// A member that is absent, or of another type than the caller asked for, reads as nil. Unknown members are kept.
public struct DaemonLine: Sendable {
    /// The line as received, without its end; empty for an object in a line.
    public let bytes: [UInt8]
    public let members: [String: JSONValue]

    /// An object in a line.
    public init(members: [String: JSONValue] = [:]) {
        bytes = []
        self.members = members
    }

    /// Decodes a line; nil if it is not a JSON object.
    public init?(_ bytes: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: bytes) else { return nil }
        self.bytes = bytes
        self.members = members
    }

    /// The kind of line; nil for a kind that this release does not know.
    public var event: EventName? { word(.event) }

    /// The error's code; nil for a code that this release does not know.
    public var code: ErrorCode? { word(.code) }

    /// A member of any type.
    public func value(_ key: MemberKey) -> JSONValue? { members[key.name] }

    public func text(_ key: MemberKey) -> String? {
        if case .string(let value)? = value(key) { return value }
        return nil
    }

    /// A text that is a case of an enum; nil for a word that this release does not know.
    public func word<Word: RawRepresentable<String>>(_ key: MemberKey, as type: Word.Type = Word.self) -> Word? {
        text(key).flatMap { Word(rawValue: $0) }
    }

    public func number(_ key: MemberKey) -> Double? {
        if case .number(let value)? = value(key) { return value }
        return nil
    }

    /// A number without a fraction.
    public func integer(_ key: MemberKey) -> Int? { number(key).flatMap { Int(exactly: $0) } }

    public func flag(_ key: MemberKey) -> Bool? {
        if case .bool(let value)? = value(key) { return value }
        return nil
    }

    /// Whether the diagnostic flag with this name is true in the line.
    public func isSet(_ diagnostic: String) -> Bool { members[diagnostic] == .bool(true) }

    /// An instant in ISO 8601.
    public func instant(_ key: MemberKey) -> UTCInstant? { text(key).flatMap { UTCInstant(iso8601: $0) } }

    /// The texts in an array; empty if there is none.
    public func texts(_ key: MemberKey) -> [String] {
        guard case .array(let elements)? = value(key) else { return [] }
        return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }

    /// The objects in an array; empty if there is none.
    public func objects(_ key: MemberKey) -> [DaemonLine] {
        guard case .array(let elements)? = value(key) else { return [] }
        return elements.compactMap { if case .object(let inner) = $0 { DaemonLine(members: inner) } else { nil } }
    }

    public func object(_ key: MemberKey) -> DaemonLine? {
        if case .object(let inner)? = value(key) { return DaemonLine(members: inner) }
        return nil
    }
}
