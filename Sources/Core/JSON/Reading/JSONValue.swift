/// A JSON value of any shape, as a request or a configuration file holds.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Parses a text that contains one value; with `allowsJSON5` the text can have the syntax of JSON5, such as
    /// comments.
    ///
    /// - Throws: An error if the text is not valid; it names the place and what was expected there.
    public init(parsing bytes: [UInt8], allowsJSON5: Bool = false) throws(JSONParseError) {
        self = try JSONReader.value(in: bytes, isJSON5: allowsJSON5)
    }
}

extension JSONValue {
    /// The JSON value as text for an error message; an array or an object is only named as such.
    public var written: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .number(let value) where value.isNaN: "NaN"
        case .number(let value) where value.isInfinite: value < 0 ? "-Infinity" : "Infinity"
        case .number(let value): Int64(exactly: value).map { "\($0)" } ?? "\(value)"
        case .string(let value): "\"\(value)\""
        case .array: "a list"
        case .object: "an object"
        }
    }
}

/// Why a text is not JSON.
public struct JSONParseError: Error, Sendable, Equatable {
    public var detail: String
}
