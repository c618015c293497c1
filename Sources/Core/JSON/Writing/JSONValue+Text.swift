extension JSONValue {
    /// The value as JSON text in one line, with the members of objects sorted by their keys.
    ///
    /// Infinity and NaN, for which JSON has no number, become null.
    public var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): value ? "true" : "false"
        case .number(let value): value.isFinite ? Int64(exactly: value).map { "\($0)" } ?? "\(value)" : "null"
        case .string(let value): JSONValue.quoted(value)
        case .array(let elements): "[" + elements.map { $0.text }.joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { JSONValue.quoted($0) + ":" + $1.text }.joined(separator: ",")
                + "}"
        }
    }

    /// A text in quotes, escaped as RFC 8259, section 7, requires.
    public static func quoted(_ text: String) -> String {
        var buffer = TextBuffer(capacity: text.utf8.count + 16)
        buffer.string(text)
        return buffer.string
    }
}
