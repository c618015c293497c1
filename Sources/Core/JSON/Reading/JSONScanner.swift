/// Reads a JSON text value by value without building a tree, for files with very many values.
///
/// A copy of a scanner has a position of its own. Source of the grammar: RFC 8259.
public struct JSONScanner {
    public enum Kind: Sendable, Equatable { case object, array, string, number, bool, null }

    private let bytes: [UInt8]
    /// The index of the next byte.
    public private(set) var position: Int
    /// Whether the scanner has read no member or element of the present object or array yet.
    private var isFirst = true

    /// The largest number of nested levels in a value that is skipped.
    private static let deepest = 256

    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
        position = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// A copy of the scanner at another position in the same text.
    public func at(_ position: Int) -> JSONScanner {
        var scanner = self
        scanner.position = position
        return scanner
    }

    /// The kind of the next value.
    public mutating func kind() throws(JSONScanError) -> Kind {
        switch try peek() {
        case 0x7B: return .object
        case 0x5B: return .array
        case 0x22: return .string
        case 0x74, 0x66: return .bool
        case 0x6E: return .null
        case 0x2D, 0x30...0x39: return .number
        default: throw error("a value is expected here")
        }
    }

    // MARK: Objects and arrays

    public mutating func enterObject() throws(JSONScanError) {
        try take(0x7B, "an object is expected here")
        isFirst = true
    }

    /// Reads the key of the object's next member and stops before its value; nil at the object's end.
    public mutating func nextKey() throws(JSONScanError) -> String? {
        guard try goOn(until: 0x7D) else { return nil }
        let key = try string()
        try take(0x3A, "a colon is expected here")
        return key
    }

    public mutating func enterArray() throws(JSONScanError) {
        try take(0x5B, "an array is expected here")
        isFirst = true
    }

    /// Returns true, with the scanner before the next element, or false at the array's end.
    public mutating func nextElement() throws(JSONScanError) -> Bool { try goOn(until: 0x5D) }

    private mutating func goOn(until end: UInt8) throws(JSONScanError) -> Bool {
        if try peek() == end {
            position += 1
            isFirst = false
            return false
        }
        if !isFirst {
            try take(0x2C, "a comma or \(end == 0x5D ? "]" : "}") is expected here")
            skipSpace()
        }
        isFirst = false
        return true
    }

    // MARK: Values

    public mutating func number() throws(JSONScanError) -> Double {
        let text = try numberText()
        guard let value = Double(text) else { throw error("\(text) is not a number") }
        return value
    }

    /// Reads a number and returns it as the text writes it.
    public mutating func numberText() throws(JSONScanError) -> String {
        guard try kind() == .number else { throw error("a number is expected here") }
        let start = position
        while position < bytes.count, JSONScanner.isNumeric(bytes[position]) { position += 1 }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    public mutating func bool() throws(JSONScanError) -> Bool {
        guard try kind() == .bool else { throw error("true or false is expected here") }
        let isTrue = bytes[position] == 0x74
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    public mutating func string() throws(JSONScanError) -> String {
        guard try peek() == 0x22 else { throw error("a string is expected here") }
        var quoted = QuotedText(in: bytes, at: position)
        do throws(QuotedText.Fault) {
            let text = try quoted.read()
            position = quoted.position
            return text
        } catch {
            position = quoted.position
            throw self.error(error.problem)
        }
    }

    /// Skips the next value.
    public mutating func skip() throws(JSONScanError) { try skip(within: 0) }

    private mutating func skip(within depth: Int) throws(JSONScanError) {
        guard depth < JSONScanner.deepest else {
            throw error("values are nested deeper than \(JSONScanner.deepest) levels")
        }
        switch try kind() {
        case .object:
            try enterObject()
            while try nextKey() != nil { try skip(within: depth + 1) }
        case .array:
            try enterArray()
            while try nextElement() { try skip(within: depth + 1) }
        case .string: _ = try string()
        case .number: while position < bytes.count, JSONScanner.isNumeric(bytes[position]) { position += 1 }
        case .bool: _ = try bool()
        case .null: try word("null")
        }
    }

    /// Throws an error if the rest of the text is anything but white space.
    public mutating func end() throws(JSONScanError) {
        skipSpace()
        guard position == bytes.count else { throw error("unexpected text after the end of the value") }
    }

    // MARK: Bytes

    /// An error at the present line.
    public func error(_ problem: String) -> JSONScanError {
        JSONScanError(line: line, problem: problem)
    }

    /// The number of the line at the present position, counted from 1.
    public var line: Int {
        bytes[..<min(position, bytes.count)].reduce(1) { $0 + ($1 == 0x0A ? 1 : 0) }
    }

    private mutating func skipSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    private mutating func peek() throws(JSONScanError) -> UInt8 {
        skipSpace()
        guard position < bytes.count else { throw error("the text ends too early; is the file cut off?") }
        return bytes[position]
    }

    private mutating func take(_ byte: UInt8, _ problem: String) throws(JSONScanError) {
        guard try peek() == byte else { throw error(problem) }
        position += 1
    }

    private mutating func word(_ word: StaticString) throws(JSONScanError) {
        let text = Array("\(word)".utf8)
        guard bytes[position...].starts(with: text) else { throw error("a value is expected here") }
        position += text.count
    }

    private static func isNumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
        default: false
        }
    }
}

/// The reason why a text is not JSON, or not the JSON that the caller expects.
public struct JSONScanError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The number of the line with the error, counted from 1.
    public var line: Int
    public var problem: String

    public init(line: Int, problem: String) {
        self.line = line
        self.problem = problem
    }

    public var description: String { "line \(line): \(problem)" }
}
