/// Reads a text of JSON or JSON5 into a value, or says where it stops being one.
///
/// Nothing is guessed: a number that no Double holds, a key that is there twice, bytes that are no UTF-8 and half of a
/// surrogate pair are faults. Sources of the grammars: RFC 8259; The JSON5 Data Interchange Format 1.0.0, json5.org.
struct JSONReader {
    typealias Fault = JSONParseError

    let bytes: [UInt8]
    let isJSON5: Bool
    var position = 0
    private var depth = 0

    /// Values within values that are followed.
    private static let deepest = 256

    /// Reads the one value that a text holds.
    static func value(in bytes: [UInt8], isJSON5: Bool) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes: bytes, isJSON5: isJSON5)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.fault("UTF-8 expected") }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { reader.position = 3 }
        let value = try reader.value(or: "a value")
        guard try reader.next(wanted: nil) == nil else { throw reader.fault("nothing more expected") }
        return value
    }

    private init(bytes: [UInt8], isJSON5: Bool) {
        self.bytes = bytes
        self.isJSON5 = isJSON5
    }

    /// A fault where the reader stands.
    func fault(_ problem: String) -> Fault {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return Fault(detail: "line \(line), column \(column): \(problem)")
    }

    // MARK: Values

    private mutating func value(or wanted: String) throws(Fault) -> JSONValue {
        switch try next(wanted: wanted) {
        case 0x7B: return try nested { reader throws(Fault) in try reader.object() }
        case 0x5B: return try nested { reader throws(Fault) in try reader.array() }
        case 0x22: return .string(try text(quote: 0x22))
        case 0x27 where isJSON5: return .string(try text(quote: 0x27))
        case let byte? where JSONReader.isWord(byte): return try word(wanted: wanted)
        default: throw fault("\(wanted) expected")
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(Fault) -> JSONValue) throws(Fault) -> JSONValue {
        guard depth < JSONReader.deepest else {
            throw fault("at most \(JSONReader.deepest) values within each other expected")
        }
        depth += 1
        position += 1
        let value = try read(&self)
        depth -= 1
        position += 1
        return value
    }

    /// From behind the brace that opens it to the one that closes it.
    private mutating func object() throws(Fault) -> JSONValue {
        var members: [String: JSONValue] = [:]
        var mayEnd = true
        while true {
            let wanted = mayEnd ? "a key or }" : "a key"
            if try next(wanted: wanted) == 0x7D, mayEnd { return .object(members) }
            let start = position
            let key = try key(or: wanted)
            guard try next(wanted: "a colon after the key") == 0x3A else {
                throw fault("a colon after the key expected")
            }
            position += 1
            guard members.updateValue(try value(or: "a value"), forKey: key) == nil else {
                position = start
                throw fault("another key expected; \"\(key)\" is there already")
            }
            guard try hasMore(closer: 0x7D) else { return .object(members) }
            mayEnd = isJSON5
        }
    }

    private mutating func array() throws(Fault) -> JSONValue {
        var elements: [JSONValue] = []
        var mayEnd = true
        while true {
            let wanted = mayEnd ? "a value or ]" : "a value"
            if try next(wanted: wanted) == 0x5D, mayEnd { return .array(elements) }
            elements.append(try value(or: wanted))
            guard try hasMore(closer: 0x5D) else { return .array(elements) }
            mayEnd = isJSON5
        }
    }

    /// Takes the comma behind a member; false at the bracket that closes.
    private mutating func hasMore(closer: UInt8) throws(Fault) -> Bool {
        let wanted = "a comma or \(closer == 0x7D ? "}" : "]")"
        switch try next(wanted: wanted) {
        case closer: return false
        case 0x2C:
            position += 1
            return true
        default: throw fault("\(wanted) expected")
        }
    }

    private mutating func key(or wanted: String) throws(Fault) -> String {
        switch bytes[position] {
        case 0x22: return try text(quote: 0x22)
        case 0x27 where isJSON5: return try text(quote: 0x27)
        case let byte where isJSON5 && JSONReader.isWord(byte) && !JSONReader.isDigit(byte):
            return takeWord()
        default: throw fault("\(wanted) expected")
        }
    }

    /// A number, or one of the words that are values.
    private mutating func word(wanted: String) throws(Fault) -> JSONValue {
        let start = position
        let word = takeWord()
        switch word {
        case "true": return .bool(true)
        case "false": return .bool(false)
        case "null": return .null
        default:
            if let number = JSONNumber.value(of: word, isJSON5: isJSON5) { return .number(number) }
            position = start
            let byte = bytes[start]
            let isNumber = JSONReader.isDigit(byte) || byte == 0x2B || byte == 0x2D || byte == 0x2E
            throw fault("\(wanted) expected; " + (isNumber ? "\(word) is no number" : "a text stands in quotes"))
        }
    }

    private mutating func takeWord() -> String {
        let end = bytes[position...].firstIndex { !JSONReader.isWord($0) } ?? bytes.count
        defer { position = end }
        return String(decoding: bytes[position..<end], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2B, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    // MARK: Space

    /// The byte that comes after space and comments; nil at the end, which is a fault where something is wanted.
    private mutating func next(wanted: String?) throws(Fault) -> UInt8? {
        guard skipSpace() else { throw fault("a comment that is not closed") }
        if position < bytes.count { return bytes[position] }
        guard let wanted else { return nil }
        throw fault("\(wanted) expected, but the text ends")
    }

    /// White space, and comments where there may be any; false where one is not closed.
    private mutating func skipSpace() -> Bool {
        while position < bytes.count {
            if isJSON5, bytes[position...].starts(with: [0x2F, 0x2F]) {
                position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            } else if isJSON5, bytes[position...].starts(with: [0x2F, 0x2A]) {
                guard let end = endOfComment() else { return false }
                position = end
            } else if let width = spaceWidth() {
                position += width
            } else {
                return true
            }
        }
        return true
    }

    /// How many bytes of white space stand here; nil for none.
    private func spaceWidth() -> Int? {
        switch bytes[position] {
        case 0x20, 0x0A, 0x0D, 0x09: 1
        case 0x0B, 0x0C: isJSON5 ? 1 : nil
        case 0xC2: isJSON5 && bytes[position...].starts(with: [0xC2, 0xA0]) ? 2 : nil
        case 0xE2, 0xEF: isJSON5 && JSONReader.wideSpaces.contains(Array(bytes[position...].prefix(3))) ? 3 : nil
        default: nil
        }
    }

    /// The ends of line and the mark of byte order that are space in JSON5: U+2028, U+2029 and U+FEFF.
    private static let wideSpaces: [[UInt8]] = [[0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9], [0xEF, 0xBB, 0xBF]]

    private func endOfComment() -> Int? {
        var index = position + 2
        while index + 1 < bytes.count {
            if bytes[index] == 0x2A, bytes[index + 1] == 0x2F { return index + 2 }
            index += 1
        }
        return nil
    }
}
