public import SextantUnits

/// The members of an object, by their keys.
public typealias JSONMembers = [String: JSONValue]

/// Members by their types: one that is absent, or of another type than the caller asked for, reads as nil.
extension JSONMembers {
    /// The members of the one object that a text holds; nil for any other text.
    public init?(parsing bytes: [UInt8]) {
        guard case .object(let members)? = try? JSONValue(parsing: bytes) else { return nil }
        self = members
    }

    public func text(_ key: String) -> String? {
        if case .string(let text)? = self[key] { text } else { nil }
    }

    public func number(_ key: String) -> Double? {
        if case .number(let number)? = self[key] { number } else { nil }
    }

    /// A number without a fraction.
    public func integer(_ key: String) -> Int64? { number(key).flatMap { Int64(exactly: $0) } }

    public func flag(_ key: String) -> Bool? {
        if case .bool(let flag)? = self[key] { flag } else { nil }
    }

    /// An instant in ISO 8601.
    public func instant(_ key: String) -> UTCInstant? { text(key).flatMap { UTCInstant(iso8601: $0) } }

    public func object(_ key: String) -> JSONMembers? {
        if case .object(let members)? = self[key] { members } else { nil }
    }

    /// The elements of the array with this key; nil if the member is absent or no array.
    public func array(_ key: String) -> [JSONValue]? {
        if case .array(let elements)? = self[key] { elements } else { nil }
    }

    /// The objects among the elements of the array with this key; empty if the member is absent or no array.
    public func objects(_ key: String) -> [JSONMembers] {
        (array(key) ?? []).compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    /// The texts among the elements of the array with this key; empty if the member is absent or no array.
    public func texts(_ key: String) -> [String] {
        (array(key) ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
