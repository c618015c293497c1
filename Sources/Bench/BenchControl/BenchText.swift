internal import Receivers

/// The error for a line that breaks the control protocol of `sextantd-bench`; its text says what is wrong with the
/// line.
public struct BenchFormatError: Error, Sendable, Equatable, CustomStringConvertible {
    public var description: String

    init(_ description: String) { self.description = description }
}

extension LineRole {
    init(benchName name: String) throws(BenchFormatError) {
        guard let role = LineRole.allCases.first(where: { $0.key == name }) else {
            let known = LineRole.allCases.map(\.key).joined(separator: ", ")
            throw BenchFormatError("\(name): no line; the lines are \(known)")
        }
        self = role
    }
}

/// Reads and writes the control protocol's subset of JSON: objects of integers, strings, booleans and null, whose
/// members keep their order.
///
/// A run of one day has hundreds of thousands of lines; a general JSON decoder would take longer for them than the
/// daemon takes for its own work.
struct BenchText {
    enum Value {
        case null
        case bool(Bool)
        case integer(Int64)
        case text(String)
        case object([Member])
    }

    struct Member {
        var key: String
        var value: Value
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The largest depth of objects within objects that is accepted; the protocol itself nests one object in another.
    private static let maximumDepth = 4

    private init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a line that is one JSON object, and returns the object's members.
    static func members(of line: [UInt8]) throws(BenchFormatError) -> [Member] {
        var text = BenchText(line)
        let members = try text.object(depth: 0)
        text.skipBlanks()
        guard text.index == line.count else { throw text.fault("something after the object") }
        return members
    }

    private mutating func object(depth: Int) throws(BenchFormatError) -> [Member] {
        guard depth < BenchText.maximumDepth else { throw fault("too many objects in each other") }
        try take(UInt8(ascii: "{"))
        var members: [Member] = []
        if skip(UInt8(ascii: "}")) { return members }
        repeat {
            let key = try text()
            try take(UInt8(ascii: ":"))
            members.append(Member(key: key, value: try value(depth: depth)))
        } while skip(UInt8(ascii: ","))
        try take(UInt8(ascii: "}"))
        return members
    }

    private mutating func value(depth: Int) throws(BenchFormatError) -> Value {
        skipBlanks()
        switch index < bytes.count ? bytes[index] : 0 {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "{"): return .object(try object(depth: depth + 1))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .integer(try integer())
        default:
            if skip(word: "true") { return .bool(true) }
            if skip(word: "false") { return .bool(false) }
            if skip(word: "null") { return .null }
            throw fault("no value")
        }
    }

    private mutating func integer() throws(BenchFormatError) -> Int64 {
        let isNegative = skip(UInt8(ascii: "-"))
        let start = index
        var value: Int64 = 0
        while index < bytes.count, case let digit = bytes[index] &- UInt8(ascii: "0"), digit < 10 {
            let (product, overflows) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowsToo) = product.addingReportingOverflow(Int64(digit))
            guard !overflows, !overflowsToo else { throw fault("a number of more than 64 bits") }
            value = sum
            index += 1
        }
        guard index > start else { throw fault("no digits") }
        return isNegative ? -value : value
    }

    private mutating func text() throws(BenchFormatError) -> String {
        try take(UInt8(ascii: "\""))
        var content: [UInt8] = []
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            if bytes[index] == UInt8(ascii: "\\") {
                index += 1
                guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "\\")
                else { throw fault("an escape that the protocol does not use") }
            }
            content.append(bytes[index])
            index += 1
        }
        try take(UInt8(ascii: "\""))
        return String(decoding: content, as: UTF8.self)
    }

    // MARK: Steps

    private mutating func skipBlanks() {
        while index < bytes.count, bytes[index] == UInt8(ascii: " ") || bytes[index] == UInt8(ascii: "\t") {
            index += 1
        }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard index < bytes.count, bytes[index] == byte else { return false }
        index += 1
        return true
    }

    private mutating func skip(word: StaticString) -> Bool {
        let end = index + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[index..<end].elementsEqual("\(word)".utf8) else { return false }
        index = end
        return true
    }

    private mutating func take(_ byte: UInt8) throws(BenchFormatError) {
        guard skip(byte) else { throw fault("no \(Character(UnicodeScalar(byte)))") }
    }

    private func fault(_ what: String) -> BenchFormatError { BenchFormatError("byte \(index): \(what)") }
}

// MARK: Writing and bytes

extension BenchText {
    /// Appends a member whose value is a string; control characters become spaces, so that a newline cannot end the
    /// line early.
    static func append(_ key: String, text: String, to line: inout [UInt8]) {
        line += "\"\(key)\":\"".utf8
        for byte in text.utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { line.append(UInt8(ascii: "\\")) }
            line.append(max(byte, UInt8(ascii: " ")))
        }
        line.append(UInt8(ascii: "\""))
    }

    static func append(_ key: String, hexadecimal bytes: [UInt8], to line: inout [UInt8]) {
        line += "\"\(key)\":\"".utf8
        line.reserveCapacity(line.count + 2 * bytes.count + 4)
        for byte in bytes {
            line.append(digit(byte >> 4))
            line.append(digit(byte & 0xF))
        }
        line.append(UInt8(ascii: "\""))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    static func bytes(_ key: String, hexadecimal text: String) throws(BenchFormatError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for character in text.utf8 {
            guard let value = value(ofDigit: character) else {
                throw BenchFormatError("\(key): not hexadecimal digits alone")
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { throw BenchFormatError("\(key): an odd number of hexadecimal digits") }
        return bytes
    }

    private static func value(ofDigit character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
