/// Reads a quoted string of JSON or JSON5 from within a larger text.
///
/// Nothing is guessed: an unknown escape sequence and an unpaired surrogate are errors.
struct QuotedText {
    /// An error at the current position of the text, with advice how to correct it.
    struct Fault: Error {
        var problem: String
    }

    private let bytes: [UInt8]
    private let isJSON5: Bool
    /// The index of the next byte to read, at first that of the opening quote; after an error, the index of the error.
    private(set) var position: Int

    init(in bytes: [UInt8], at position: Int, isJSON5: Bool = false) {
        self.bytes = bytes
        self.position = position
        self.isJSON5 = isJSON5
    }

    /// Reads the string from its opening quote, which must be at the current position, to its closing quote.
    mutating func read() throws(Fault) -> String {
        let start = position
        let quote = bytes[start]
        position += 1
        // Most strings have no escape; such a string is decoded from the text's bytes without copying them first.
        var text: [UInt8] = []
        var plain = position
        while position < bytes.count {
            switch bytes[position] {
            case quote:
                let rest = bytes[plain..<position]
                position += 1
                return text.isEmpty
                    ? String(decoding: rest, as: UTF8.self) : String(decoding: text + rest, as: UTF8.self)
            case 0x5C:
                text += bytes[plain..<position]
                try takeEscape(into: &text)
                plain = position
            // Neither JSON nor JSON5 allows a line end in a string; only JSON5 allows other control characters.
            case 0x0A, 0x0D: throw unclosed(from: start)
            case 0..<0x20 where !isJSON5:
                throw Fault(problem: "a text cannot contain a control character; write \\u and four digits instead")
            default: position += 1
            }
        }
        throw unclosed(from: start)
    }

    private mutating func unclosed(from start: Int) -> Fault {
        position = start
        return Fault(problem: "the text is not closed; close it with \(Unicode.Scalar(bytes[start])) in its line")
    }

    /// Reads a backslash and the rest of its escape sequence, and appends the character that the sequence stands for.
    private mutating func takeEscape(into text: inout [UInt8]) throws(Fault) {
        guard position + 1 < bytes.count else {
            position += 1
            return
        }
        let byte = bytes[position + 1]
        if byte == 0x75 { return try takeUnicodeEscape(into: &text) }
        if isJSON5 {
            if byte == 0x78 { return try takeHexEscape(into: &text) }
            if takeContinuation() { return }
        }
        guard let plain = QuotedText.escape(byte) ?? (isJSON5 ? json5Escape(byte) : nil) else {
            throw Fault(problem: "unknown escape sequence; write a backslash as \\\\")
        }
        text.append(plain)
        position += 2
    }

    private static func escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x22, 0x5C, 0x2F: byte
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: nil
        }
    }

    /// The byte that a JSON5 escape of one character stands for; nil if the escape is invalid.
    ///
    /// `\v` is a vertical tab, `\0` is NUL if no digit follows, and any other character except a digit stands for
    /// itself.
    private func json5Escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x76: 0x0B
        case 0x30:
            bytes[min(position + 2, bytes.count)...].first.map { (0x30...0x39).contains($0) } ?? false ? nil : 0
        case 0x31...0x39: nil
        default: byte
        }
    }

    /// Reads a backslash before a line end, by which a JSON5 string goes on in the next line; false if no line end
    /// follows.
    private mutating func takeContinuation() -> Bool {
        let after = bytes[(position + 1)...]
        for end: [UInt8] in [[0x0D, 0x0A], [0x0A], [0x0D], [0xE2, 0x80, 0xA8], [0xE2, 0x80, 0xA9]]
        where after.starts(with: end) {
            position += 1 + end.count
            return true
        }
        return false
    }

    private mutating func takeHexEscape(into text: inout [UInt8]) throws(Fault) {
        guard let value = QuotedText.hexadecimal(in: bytes, at: position + 2, digits: 2),
            let scalar = Unicode.Scalar(value)
        else { throw Fault(problem: "\\x and two hexadecimal digits expected") }
        text.append(contentsOf: String(scalar).utf8)
        position += 4
    }

    /// Reads a `\u` escape, or two of them that are the halves of a surrogate pair, and appends the character.
    private mutating func takeUnicodeEscape(into text: inout [UInt8]) throws(Fault) {
        guard let first = QuotedText.hexadecimal(in: bytes, at: position + 2, digits: 4) else {
            throw Fault(problem: "\\u and four hexadecimal digits expected")
        }
        if let scalar = Unicode.Scalar(first) {
            text.append(contentsOf: String(scalar).utf8)
            position += 6
            return
        }
        let after = bytes[min(position + 6, bytes.count)...]
        guard (0xD800..<0xDC00).contains(first), after.starts(with: [0x5C, 0x75]),
            let second = QuotedText.hexadecimal(in: bytes, at: position + 8, digits: 4),
            (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw Fault(problem: "both halves of a surrogate pair expected") }
        text.append(contentsOf: String(scalar).utf8)
        position += 12
    }

    /// The value of a given count of hexadecimal digits; nil if any of these bytes is not a hexadecimal digit.
    static func hexadecimal(in bytes: [UInt8], at start: Int, digits: Int) -> UInt32? {
        guard start + digits <= bytes.count else { return nil }
        var value: UInt32 = 0
        for byte in bytes[start..<(start + digits)] {
            switch byte {
            case 0x30...0x39: value = value << 4 | UInt32(byte - 0x30)
            case 0x41...0x46: value = value << 4 | UInt32(byte - 0x37)
            case 0x61...0x66: value = value << 4 | UInt32(byte - 0x57)
            default: return nil
            }
        }
        return value
    }
}
