/// Checks whether bytes are one JSON value (RFC 8259), because the JSON text is written without a library.
public struct JSONCheck {
    private var place = 0
    private var depth = 0

    /// Whether `bytes` hold exactly one JSON value, in ASCII, and nothing else.
    public static func isValue(_ bytes: borrowing Span<UInt8>) -> Bool {
        var check = JSONCheck()
        return check.value(bytes) && check.place == bytes.count
    }

    private mutating func value(_ bytes: borrowing Span<UInt8>) -> Bool {
        guard place < bytes.count, depth < 16 else { return false }
        switch bytes[place] {
        case 0x7B: return group(bytes, end: 0x7D, isObject: true)
        case 0x5B: return group(bytes, end: 0x5D, isObject: false)
        case 0x22: return string(bytes)
        case 0x74: return word("true", bytes)
        case 0x66: return word("false", bytes)
        case 0x6E: return word("null", bytes)
        default: return number(bytes)
        }
    }

    private mutating func group(_ bytes: borrowing Span<UInt8>, end: UInt8, isObject: Bool) -> Bool {
        place += 1
        depth += 1
        defer { depth -= 1 }
        if take(end, bytes) { return true }
        while true {
            if isObject {
                guard place < bytes.count, bytes[place] == 0x22, string(bytes), take(0x3A, bytes) else { return false }
            }
            guard value(bytes) else { return false }
            if take(end, bytes) { return true }
            guard take(0x2C, bytes) else { return false }
        }
    }

    private mutating func string(_ bytes: borrowing Span<UInt8>) -> Bool {
        place += 1
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case 0x22: return true
            case 0x5C:
                guard place < bytes.count else { return false }
                place += 1
            case 0x20...0x7E: break
            default: return false
            }
        }
        return false
    }

    private mutating func number(_ bytes: borrowing Span<UInt8>) -> Bool {
        _ = take(0x2D, bytes)
        if !take(0x30, bytes) { guard digits(bytes) else { return false } }
        if take(0x2E, bytes) { guard digits(bytes) else { return false } }
        return true
    }

    private mutating func digits(_ bytes: borrowing Span<UInt8>) -> Bool {
        let start = place
        while place < bytes.count, (0x30...0x39).contains(bytes[place]) { place += 1 }
        return place > start
    }

    private mutating func word(_ text: StaticString, _ bytes: borrowing Span<UInt8>) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for index in 0..<count {
            // Safety: the literal has `count` bytes, and `index` is less than that.
            guard unsafe text.utf8Start[index] == bytes[place + index] else { return false }
        }
        place += count
        return true
    }

    private mutating func take(_ byte: UInt8, _ bytes: borrowing Span<UInt8>) -> Bool {
        guard place < bytes.count, bytes[place] == byte else { return false }
        place += 1
        return true
    }
}
