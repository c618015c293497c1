public import SextantUnits

/// The members of a JSON object, by their keys.
public typealias JSONMembers = [String: JSONValue]

/// Functions that read a member as a value of one type; nil if the member is absent or of another type.
extension JSONMembers {
    /// The members of the JSON object in a text; nil if the text is anything but one object.
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

    /// The elements of the array under this key; nil if the member is absent or no array.
    public func array(_ key: String) -> [JSONValue]? {
        if case .array(let elements)? = self[key] { elements } else { nil }
    }

    /// Those elements of the array under this key that are objects; empty if the member is absent or no array.
    public func objects(_ key: String) -> [JSONMembers] {
        (array(key) ?? []).compactMap { if case .object(let members) = $0 { members } else { nil } }
    }

    /// Those elements of the array under this key that are strings; empty if the member is absent or no array.
    public func texts(_ key: String) -> [String] {
        (array(key) ?? []).compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
}
