/// Parses numbers in the grammars of JSON and JSON5.
enum JSONNumber {
    /// The number that a word of the text writes; nil if the word is no number, or one too large for a Double.
    static func value(of word: String, isJSON5: Bool) -> Double? {
        var digits = word[...]
        let isNegative = digits.first == "-"
        if isNegative || isJSON5 && digits.first == "+" { digits.removeFirst() }
        guard let magnitude = isJSON5 ? json5Magnitude(digits) : magnitude(digits, isJSON5: false) else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    private static func json5Magnitude(_ text: Substring) -> Double? {
        switch text {
        case "Infinity": return .infinity
        case "NaN": return .nan
        default:
            guard text.hasPrefix("0x") || text.hasPrefix("0X") else { return magnitude(text, isJSON5: true) }
            return hexadecimal(text.dropFirst(2))
        }
    }

    private static func hexadecimal(_ digits: Substring) -> Double? {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ isHexadecimal($0) }) else { return nil }
        guard let value = Double("0x\(digits)"), value.isFinite else { return nil }
        return value
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
    }

    /// The value of decimal digits with an optional fraction and exponent; nil if it begins with a zero before other
    /// digits.
    ///
    /// JSON requires digits on both sides of a decimal point; JSON5 requires them on one side.
    private static func magnitude(_ text: Substring, isJSON5: Bool) -> Double? {
        var rest = text
        let whole = takeDigits(&rest)
        let hasPoint = rest.first == "."
        if hasPoint { rest.removeFirst() }
        let fraction = hasPoint ? takeDigits(&rest) : ""
        let isComplete = !whole.isEmpty && (!hasPoint || !fraction.isEmpty)
        guard isComplete || isJSON5 && !(whole.isEmpty && fraction.isEmpty) else { return nil }
        guard whole.count < 2 || whole.first != "0", let exponent = takeExponent(&rest), rest.isEmpty else {
            return nil
        }
        let written = (whole.isEmpty ? "0" : whole) + "." + (fraction.isEmpty ? "0" : fraction) + exponent
        guard let value = Double(written), value.isFinite else { return nil }
        return value
    }

    private static func takeDigits(_ rest: inout Substring) -> Substring {
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest.removeFirst(digits.count)
        return digits
    }

    /// Removes an exponent from the beginning of the text and returns it; empty if there is none, nil if it has no
    /// digits.
    private static func takeExponent(_ rest: inout Substring) -> Substring? {
        let start = rest
        guard rest.first == "e" || rest.first == "E" else { return "" }
        rest.removeFirst()
        if rest.first == "+" || rest.first == "-" { rest.removeFirst() }
        guard !takeDigits(&rest).isEmpty else { return nil }
        return start[..<rest.startIndex]
    }
}
