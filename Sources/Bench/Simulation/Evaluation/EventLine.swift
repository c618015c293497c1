/// Reads one line of text that is a JSON object, such as an event of a simulated run.
///
/// A simulated day has a hundred thousand such lines, so for speed the reader supports only what they contain.
///
/// Grammar: RFC 8259, but escapes in a string are kept undecoded, because names in events contain none.
struct EventLine {
    enum Value: Equatable {
        case number(Double)
        case text(String)
        case object([String: Value])
        /// A value of a kind that events do not use: true, false, null, or an array.
        case other
    }

    /// A syntax error: what was expected, and at which column of the line, counted from 1.
    struct Fault: Error {
        var column: Int
        var expected: String

        var detail: String { "column \(column): \(expected) expected" }
    }

    private static let deepest = 16

    private let bytes: ArraySlice<UInt8>
    private var position: Int
    private var depth = 0

    /// Reads the members of the object that makes up the whole line.
    static func members(of line: ArraySlice<UInt8>) throws(Fault) -> [String: Value] {
        var reader = EventLine(bytes: line, position: line.startIndex)
        guard reader.peek() == 0x7B else { throw reader.fault("an object") }
        let members = try reader.object()
        guard reader.peek() == nil else { throw reader.fault("the end of the line") }
        return members
    }

    private init(bytes: ArraySlice<UInt8>, position: Int) {
        self.bytes = bytes
        self.position = position
    }

    private func fault(_ expected: String) -> Fault {
        Fault(column: position - bytes.startIndex + 1, expected: expected)
    }

    /// Skips white space and returns the following byte without consuming it; nil at the line's end.
    private mutating func peek() -> UInt8? {
        while position < bytes.endIndex {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x09 || byte == 0x0D else { return byte }
            position += 1
        }
        return nil
    }

    private mutating func take(_ byte: UInt8, _ name: String) throws(Fault) {
        guard peek() == byte else { throw fault(name) }
        position += 1
    }

    private mutating func value() throws(Fault) -> Value {
        switch peek() {
        case 0x7B: .object(try object())
        case 0x5B: try array()
        case 0x22: .text(try text())
        case .some(0x30...0x39), 0x2D: .number(try number())
        default: try word()
        }
    }

    private mutating func object() throws(Fault) -> [String: Value] {
        try deepen()
        var members: [String: Value] = [:]
        position += 1
        while peek() != 0x7D {
            if !members.isEmpty { try take(0x2C, "a comma or }") }
            let key = try text()
            try take(0x3A, "a colon")
            members[key] = try value()
        }
        position += 1
        depth -= 1
        return members
    }

    private mutating func array() throws(Fault) -> Value {
        try deepen()
        position += 1
        var isFirst = true
        while peek() != 0x5D {
            if !isFirst { try take(0x2C, "a comma or ]") }
            _ = try value()
            isFirst = false
        }
        position += 1
        depth -= 1
        return .other
    }

    private mutating func deepen() throws(Fault) {
        guard depth < Self.deepest else { throw fault("no more than \(Self.deepest) values within values") }
        depth += 1
    }

    private mutating func text() throws(Fault) -> String {
        try take(0x22, "a text in quotes")
        let start = position
        while position < bytes.endIndex, bytes[position] != 0x22 { position += bytes[position] == 0x5C ? 2 : 1 }
        guard position < bytes.endIndex else {
            position = bytes.endIndex
            throw fault("a quote that ends the text")
        }
        position += 1
        return String(decoding: bytes[start..<(position - 1)], as: UTF8.self)
    }

    private mutating func number() throws(Fault) -> Double {
        let start = position
        while position < bytes.endIndex, Self.isOfNumber(bytes[position]) { position += 1 }
        guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)), number.isFinite else {
            position = start
            throw fault("a number")
        }
        return number
    }

    /// Whether a byte can be part of a number: a digit, a sign, the decimal point or the exponent's letter.
    private static func isOfNumber(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
        default: false
        }
    }

    private mutating func word() throws(Fault) -> Value {
        for word in ["true", "false", "null"] where bytes[position...].starts(with: word.utf8) {
            position += word.utf8.count
            return .other
        }
        throw fault("a value")
    }
}
