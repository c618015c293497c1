/// Finds where a text stops being JSON5: on Linux, Foundation's decoder says only that it does.
struct JSON5Fault {
    private enum Expected {
        case value
        /// In an array: a value, or its end.
        case element
        /// In an object: a key, or its end.
        case key
        case colon
        case comma
        case nothing
    }

    private let bytes: [UInt8]
    private var position = 0
    private var expected = Expected.value
    /// The brackets that are open, as the bytes that close them.
    private var closers: [UInt8] = []

    /// The place and what was expected there; nil where no fault is found.
    static func text(in bytes: [UInt8]) -> String? {
        var finder = JSON5Fault(bytes: bytes)
        guard let fault = finder.firstFault() else { return nil }
        let before = bytes[..<min(finder.position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return "line \(line), column \(column): \(fault)"
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private mutating func firstFault() -> String? {
        while true {
            guard skipSpace() else { return "a comment that is not closed" }
            if position == bytes.count { return expected == .nothing ? nil : "\(wanted) expected, but the text ends" }
            if let fault = step(bytes[position]) { return fault }
        }
    }

    private var wanted: String {
        let closer = String(decoding: closers.suffix(1), as: UTF8.self)
        return switch expected {
        case .value: "a value"
        case .element: "a value or ]"
        case .key: "a key or }"
        case .colon: "a colon after the key"
        case .comma: "a comma or \(closer)"
        case .nothing: "nothing more"
        }
    }

    private mutating func step(_ byte: UInt8) -> String? {
        switch (expected, byte) {
        case (.element, 0x5D), (.key, 0x7D), (.comma, closers.last ?? 0):
            closers.removeLast()
            position += 1
            endValue()
        case (.value, 0x7B), (.element, 0x7B): open(closer: 0x7D, expecting: .key)
        case (.value, 0x5B), (.element, 0x5B): open(closer: 0x5D, expecting: .element)
        case (.value, 0x22), (.value, 0x27), (.element, 0x22), (.element, 0x27), (.key, 0x22), (.key, 0x27):
            guard skipString(quote: byte) else { return "a text that is not closed" }
            endToken()
        case (.value, _) where isWord(byte), (.element, _) where isWord(byte), (.key, _) where isWord(byte):
            guard skipWord() else { return "\(wanted) expected; a text stands in quotes" }
            endToken()
        case (.colon, 0x3A):
            position += 1
            expected = .value
        case (.comma, 0x2C):
            position += 1
            expected = closers.last == 0x7D ? .key : .element
        case (.value, _), (.element, _), (.key, _), (.colon, _), (.comma, _), (.nothing, _):
            return "\(wanted) expected"
        }
        return nil
    }

    private mutating func open(closer: UInt8, expecting next: Expected) {
        closers.append(closer)
        position += 1
        expected = next
    }

    private mutating func endToken() {
        if expected == .key { expected = .colon } else { endValue() }
    }

    private mutating func endValue() { expected = closers.isEmpty ? .nothing : .comma }

    private func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x24, 0x2B, 0x2D, 0x2E, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    /// A key, a number, or one of the words that are values.
    private mutating func skipWord() -> Bool {
        let end = bytes[position...].firstIndex { !isWord($0) } ?? bytes.count
        let word = String(decoding: bytes[position..<end], as: UTF8.self)
        let isNumber = bytes[position] < 0x41 && bytes[position] != 0x24
        let isValue = isNumber || ["true", "false", "null", "Infinity", "NaN"].contains(word)
        guard expected == .key || isValue else { return false }
        position = end
        return true
    }

    /// False where the line ends first; the position stays at the opening quote.
    private mutating func skipString(quote: UInt8) -> Bool {
        var index = position + 1
        while index < bytes.count, bytes[index] != 0x0A {
            if bytes[index] == quote {
                position = index + 1
                return true
            }
            index += bytes[index] == 0x5C ? 2 : 1
        }
        return false
    }

    private func endOfComment() -> Int? {
        var index = position + 2
        while index + 1 < bytes.count {
            if bytes[index] == 0x2A, bytes[index + 1] == 0x2F { return index + 2 }
            index += 1
        }
        return nil
    }

    /// White space and comments; false where a comment is not closed.
    private mutating func skipSpace() -> Bool {
        while position < bytes.count {
            if bytes[position...].starts(with: [0x2F, 0x2F]) {
                position = bytes[position...].firstIndex(of: 0x0A) ?? bytes.count
            } else if bytes[position...].starts(with: [0x2F, 0x2A]) {
                guard let end = endOfComment() else { return false }
                position = end
            } else if bytes[position] <= 0x20 {
                position += 1
            } else {
                return true
            }
        }
        return true
    }
}
