/// Reading of JSON5's keys without quotes, and the Unicode scalars that its grammar allows in them.
extension JSONReader {
    /// The advice that ends the error message for a key that needs quotes.
    static let bareKeys = "a key without quotes has only letters, digits, $ and _; put any other key in quotes"

    /// Reads an IdentifierName of ECMAScript 5.1 (section 7.6); empty if none begins at the present position.
    mutating func name() throws(Fault) -> String {
        var name = String.UnicodeScalarView()
        while position < bytes.count {
            let isEscape = bytes[position] == 0x5C
            let found = isEscape ? escapedScalar() : scalar(at: position)
            guard let (scalar, width) = found, JSONReader.isOfName(scalar, isFirst: name.isEmpty) else {
                guard isEscape else { break }
                throw fault(
                    "\\u and the four hexadecimal digits of a letter or digit expected; \(JSONReader.bareKeys)")
            }
            name.append(scalar)
            position += width
        }
        return String(name)
    }

    /// The scalar that an escape of `\u` and four hexadecimal digits stands for, and the escape's length in bytes; nil
    /// for an invalid escape.
    private func escapedScalar() -> (Unicode.Scalar, width: Int)? {
        guard bytes[position...].dropFirst().first == 0x75,
            let value = QuotedText.hexadecimal(in: bytes, at: position + 2, digits: 4)
        else { return nil }
        return Unicode.Scalar(value).map { ($0, 6) }
    }

    private static func isOfName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar {
        case "$", "_": true
        case "\u{200C}", "\u{200D}": !isFirst
        default:
            switch scalar.properties.generalCategory {
            case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber:
                true
            case .nonspacingMark, .spacingMark, .decimalNumber, .connectorPunctuation: !isFirst
            default: false
            }
        }
    }

    /// The Unicode scalar that begins at an index of the UTF-8 text, and its length in bytes; nil if no valid one
    /// begins there.
    func scalar(at index: Int) -> (Unicode.Scalar, width: Int)? {
        var rest = bytes[index...].makeIterator()
        var parser = UTF8.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &rest) else { return nil }
        return (UTF8.decode(encoded), encoded.count)
    }
}
