internal import FoundationEssentials

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
    /// - Throws: Where the text is no JSON; the detail of a JSON5 text's error names the place.
    public init(parsing bytes: [UInt8], allowsJSON5: Bool = false) throws(JSONParseError) {
        let decoder = JSONDecoder()
        decoder.allowsJSON5 = allowsJSON5
        do {
            self = try decoder.decode(JSONValue.self, from: Data(bytes))
        } catch DecodingError.dataCorrupted(let context) {
            let place = allowsJSON5 ? JSON5Fault.text(in: bytes) : nil
            throw JSONParseError(detail: place ?? context.debugDescription)
        } catch {
            throw JSONParseError(detail: "not a JSON value")
        }
    }
}

/// Why a text is no JSON.
public struct JSONParseError: Error, Sendable, Equatable {
    public var detail: String
}

extension JSONValue: Decodable {
    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    public init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            var members: [String: JSONValue] = [:]
            for key in object.allKeys { members[key.stringValue] = try object.decode(JSONValue.self, forKey: key) }
            self = .object(members)
        } else if var array = try? decoder.unkeyedContainer() {
            var elements: [JSONValue] = []
            while !array.isAtEnd { elements.append(try array.decode(JSONValue.self)) }
            self = .array(elements)
        } else {
            self = try JSONValue(scalarIn: decoder.singleValueContainer())
        }
    }

    private init(scalarIn value: any SingleValueDecodingContainer) throws {
        if value.decodeNil() {
            self = .null
        } else if let bool = try? value.decode(Bool.self) {
            self = .bool(bool)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else {
            self = .string(try value.decode(String.self))
        }
    }
}
