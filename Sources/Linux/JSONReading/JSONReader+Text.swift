/// Texts in quotes.
extension JSONReader {
    /// Reads a text whose opening quote is next.
    mutating func text(quote: UInt8) throws(Fault) -> String {
        let start = position
        position += 1
        var text: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case quote:
                position += 1
                return String(decoding: text, as: UTF8.self)
            case 0x5C: try takeEscape(into: &text)
            // An end of line ends a text in neither grammar; other control characters may stand in JSON5 alone.
            case 0x0A, 0x0D: throw unclosed(from: start)
            case 0..<0x20 where !isJSON5: throw fault("a text without control characters expected")
            default:
                text.append(byte)
                position += 1
            }
        }
        throw unclosed(from: start)
    }

    private mutating func unclosed(from start: Int) -> Fault {
        position = start
        return fault("a text that is not closed")
    }

    /// What a backslash and the bytes after it stand for.
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
        guard let plain = JSONReader.escapes[byte] ?? (isJSON5 ? json5Escape(byte) : nil) else {
            throw fault("an escape expected; there is none such")
        }
        text.append(plain)
        position += 2
    }

    private static let escapes: [UInt8: UInt8] = [
        0x22: 0x22, 0x5C: 0x5C, 0x2F: 0x2F, 0x62: 0x08, 0x66: 0x0C, 0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09,
    ]

    /// JSON5 has two more, no digit but a zero that stands alone, and takes every other character for itself.
    private func json5Escape(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x76: 0x0B
        case 0x30:
            bytes[min(position + 2, bytes.count)...].first.map { (0x30...0x39).contains($0) } ?? false ? nil : 0
        case 0x31...0x39: nil
        default: byte
        }
    }

    /// A backslash before an end of line joins two lines of JSON5.
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
        guard let value = hexadecimal(at: position + 2, digits: 2), let scalar = Unicode.Scalar(value) else {
            throw fault("\\x and two hexadecimal digits expected")
        }
        text.append(contentsOf: Array(String(scalar).utf8))
        position += 4
    }

    /// A scalar, or the two halves of one.
    private mutating func takeUnicodeEscape(into text: inout [UInt8]) throws(Fault) {
        guard let first = hexadecimal(at: position + 2, digits: 4) else {
            throw fault("\\u and four hexadecimal digits expected")
        }
        if let scalar = Unicode.Scalar(first) {
            text.append(contentsOf: Array(String(scalar).utf8))
            position += 6
            return
        }
        let after = bytes[min(position + 6, bytes.count)...]
        guard (0xD800..<0xDC00).contains(first), after.starts(with: [0x5C, 0x75]),
            let second = hexadecimal(at: position + 8, digits: 4), (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x1_0000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw fault("both halves of a surrogate pair expected") }
        text.append(contentsOf: Array(String(scalar).utf8))
        position += 12
    }

    private func hexadecimal(at start: Int, digits: Int) -> UInt32? {
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
