/// Reads a text of JSON or JSON5 into a value, or says at which place the text is not valid.
///
/// Nothing is guessed: a number too large for a Double, a duplicate key, invalid UTF-8 and an unpaired surrogate are
/// errors. Sources of the grammars: RFC 8259; The JSON5 Data Interchange Format 1.0.0, json5.org.
struct JSONReader {
    typealias Fault = JSONParseError

    let bytes: [UInt8]
    let isJSON5: Bool
    var position: Int
    /// The index of the text's first byte: the one after the byte order mark, or 0 if the text has no such mark.
    private let start: Int
    private var depth = 0

    /// The largest number of levels to which objects and arrays can be nested.
    private static let deepest = 256

    /// Reads the text's value; the text must contain one value and no more.
    static func value(in bytes: [UInt8], isJSON5: Bool) throws(Fault) -> JSONValue {
        var reader = JSONReader(bytes: bytes, isJSON5: isJSON5)
        guard String(validating: bytes, as: UTF8.self) != nil else { throw reader.badEncoding() }
        let value = try reader.value(or: "a value")
        guard try reader.next(wanted: nil) == nil else {
            throw reader.fault("unexpected text after the end of the value")
        }
        return value
    }

    private init(bytes: [UInt8], isJSON5: Bool) {
        self.bytes = bytes
        self.isJSON5 = isJSON5
        start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
        position = start
    }

    /// An error at the present position, with the line and the column that an editor shows there.
    func fault(_ problem: String) -> Fault {
        var (line, column) = (1, 1)
        var last: UInt8 = 0
        for byte in bytes[start..<min(position, bytes.count)] {
            switch byte {
            case 0x0A where last == 0x0D: break
            case 0x0A, 0x0D: (line, column) = (line + 1, 1)
            case 0x80..<0xC0: break  // Not the first byte of its character.
            default: column += 1
            }
            last = byte
        }
        return Fault(detail: "line \(line), column \(column): \(problem)")
    }

    private mutating func badEncoding() -> Fault {
        while let (_, width) = scalar(at: position) { position += width }
        return fault("UTF-8 expected; save the file as UTF-8")
    }

    // MARK: Values

    private mutating func value(or wanted: String) throws(Fault) -> JSONValue {
        switch try next(wanted: wanted) {
        case 0x7B: return try nested { reader throws(Fault) in try reader.object() }
        case 0x5B: return try nested { reader throws(Fault) in try reader.array() }
        case 0x22: return .string(try text())
        case 0x27 where isJSON5: return .string(try text())
        case let byte? where JSONReader.isWord(byte): return try word(wanted: wanted)
        case let byte? where byte > 0x20 && !JSONReader.isPunctuation(byte):
            throw fault("\(wanted) expected; put a text in quotes")
        default: throw fault("\(wanted) expected")
        }
    }

    /// Reads a string, whose opening quote is at the present position.
    private mutating func text() throws(Fault) -> String {
        var quoted = QuotedText(in: bytes, at: position, isJSON5: isJSON5)
        do throws(QuotedText.Fault) {
            let text = try quoted.read()
            position = quoted.position
            return text
        } catch {
            position = quoted.position
            throw fault(error.problem)
        }
    }

    private mutating func nested(_ read: (inout JSONReader) throws(Fault) -> JSONValue) throws(Fault) -> JSONValue {
        guard depth < JSONReader.deepest else {
            throw fault("values are nested deeper than \(JSONReader.deepest) levels")
        }
        depth += 1
        position += 1
        let value = try read(&self)
        depth -= 1
        position += 1
        return value
    }

    /// Reads an object's members, from after its opening brace up to its closing brace.
    private mutating func object() throws(Fault) -> JSONValue {
        var members: [String: JSONValue] = [:]
        var mayEnd = true
        while true {
            let wanted = mayEnd ? "a key or }" : "a key"
            if try next(wanted: wanted) == 0x7D, mayEnd { return .object(members) }
            let start = position
            let key = try key(or: wanted)
            try takeColon(afterBareKey: !JSONReader.isQuote(bytes[start]))
            guard members.updateValue(try value(or: "a value"), forKey: key) == nil else {
                position = start
                throw fault("the key \"\(key)\" is given twice")
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

    /// Takes the comma after a member or an element and returns true; false if the closing bracket comes instead.
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
        case 0x22: return try text()
        case 0x27 where isJSON5: return try text()
        case let byte where isJSON5 && !JSONReader.isPunctuation(byte):
            let name = try name()
            guard !name.isEmpty else { throw fault("\(wanted) expected; \(JSONReader.bareKeys)") }
            return name
        default: throw fault("\(wanted) expected")
        }
    }

    private mutating func takeColon(afterBareKey isBare: Bool) throws(Fault) {
        let end = position
        let byte = try next(wanted: "a colon after the key")
        guard let byte, byte != 0x3A else {
            position += 1
            return
        }
        // A character that directly follows a key without quotes was probably meant as part of the key.
        let goesOn = isBare && position == end && !JSONReader.isPunctuation(byte) && !JSONReader.isQuote(byte)
        throw fault("a colon after the key expected" + (goesOn ? "; \(JSONReader.bareKeys)" : ""))
    }

    /// Reads a value that is a number, `true`, `false` or `null`.
    private mutating func word(wanted: String) throws(Fault) -> JSONValue {
        let start = position
        if let (number, end) = PlainNumber.read(bytes, at: start), end == bytes.count || !JSONReader.isWord(bytes[end])
        {
            position = end
            return .number(number)
        }
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
            throw fault("\(wanted) expected; " + (isNumber ? "\(word) is not a number" : "put a text in quotes"))
        }
    }

    private mutating func takeWord() -> String {
        let start = position
        while position < bytes.count, JSONReader.isWord(bytes[position]), spaceWidth() == 0 { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x22 || byte == 0x27 }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x2C, 0x3A, 0x5B, 0x5D, 0x7B, 0x7D: true
        default: false
        }
    }

    /// Whether a byte can be part of a number or a word; every byte beyond ASCII counts, although it can also be part
    /// of a white-space character.
    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2B, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    /// The next byte after white space and comments; at the text's end, throws an error that names what is missing
    /// (`wanted`), or returns nil if `wanted` is nil.
    private mutating func next(wanted: String?) throws(Fault) -> UInt8? {
        try skipSpace()
        if position < bytes.count { return bytes[position] }
        guard let wanted else { return nil }
        throw fault("\(wanted) expected, but the text ends")
    }
}
