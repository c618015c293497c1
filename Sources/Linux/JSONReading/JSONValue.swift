/// A JSON value of any shape, as a request or a configuration file holds.
public enum JSONValue: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Reads one value; JSON5 where `allowsJSON5` (comments, trailing commas, bare keys).
    ///
    /// - Throws: Where the text is no JSON; the detail names the place and what was expected there.
    public init(parsing bytes: [UInt8], allowsJSON5: Bool = false) throws(JSONParseError) {
        self = try JSONReader.value(in: bytes, isJSON5: allowsJSON5)
    }
}

/// Why a text is no JSON.
public struct JSONParseError: Error, Sendable, Equatable {
    public var detail: String
}
