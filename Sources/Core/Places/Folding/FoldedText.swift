/// A text in the form in which names are compared: words of lower-case letters without diacritical marks.
///
/// The names of a table and the texts that users look up are folded by the same function. Full-width letters, ligatures
/// and presentation forms become plain letters; marks of Latin, Greek, Cyrillic, Hebrew and Arabic are dropped; ß, ł,
/// ø, đ, ð, þ, æ, œ, ı and ħ become ss, l, o, d, d, th, ae, oe, i and h. Everything except letters, digits and the
/// marks that other scripts need separates words, but invisible format characters do not. Saint and Sankt become st,
/// fort becomes ft, and mount becomes mt.
public struct FoldedText: Sendable, Hashable {
    /// The words, in UTF-8.
    public private(set) var words: [[UInt8]] = []
    /// The indices of the words that follow a comma, a semicolon or a line end.
    public private(set) var commas: [Int] = []

    /// The largest size of a text that can be looked up, in bytes of UTF-8.
    ///
    /// A longer text is treated as if it had no words. So is a damaged text: one with a NUL, or with the replacement
    /// character U+FFFD.
    public static let maximumBytes = 1000
    /// The largest number of words of a text that can be looked up.
    public static let maximumWords = 16

    public init(_ text: String) {
        guard text.utf8.count <= FoldedText.maximumBytes else { return }
        var word: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.value == 0 || scalar.value == 0xFFFD {
                (words, commas) = ([], [])
                return
            }
            if scalar.value < 0x80 {
                append(ascii: UInt8(truncatingIfNeeded: scalar.value), to: &word)
            } else {
                append(scalar, to: &word)
            }
        }
        end(&word)
        if commas.last == words.count { commas.removeLast() }
    }

    /// Whether this text can be looked up: it has at least one word, and at most 16.
    public var isQuestion: Bool { (1...FoldedText.maximumWords).contains(words.count) }

    private mutating func append(ascii byte: UInt8, to word: inout [UInt8]) {
        switch byte {
        case 0x30...0x39, 0x61...0x7A: word.append(byte)
        case 0x41...0x5A: word.append(byte | 0x20)
        default:
            end(&word)
            if byte == 0x2C || byte == 0x3B || byte == 0x0A { separate() }
        }
    }

    private mutating func append(_ scalar: Unicode.Scalar, to word: inout [UInt8]) {
        guard !FoldedText.isDropped(scalar) else { return }
        if let letters = FoldingIndex.shared.letters(of: scalar) {
            for letter in letters {
                guard let scalar = Unicode.Scalar(letter), let bytes = UTF8.encode(scalar) else { continue }
                word.append(contentsOf: bytes)
            }
            return
        }
        switch scalar.properties.generalCategory {
        case .format: return
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark, .enclosingMark:
            if scalar.value > 0xFFFF {
                word.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            } else if let bytes = UTF8.encode(scalar) {
                word.append(contentsOf: bytes)
            }
        default:
            end(&word)
            // The comma characters of Chinese and Japanese, which have the meaning of the Latin comma.
            if scalar == "\u{3001}" || scalar == "\u{FF0C}" { separate() }
        }
    }

    private mutating func separate() {
        if !words.isEmpty, commas.last != words.count { commas.append(words.count) }
    }

    private mutating func end(_ word: inout [UInt8]) {
        guard !word.isEmpty else { return }
        words.append(FoldedText.plain(word))
        word.removeAll(keepingCapacity: true)
    }

    private static let saint = Array("saint".utf8), sankt = Array("sankt".utf8), sainte = Array("sainte".utf8)
    private static let fort = Array("fort".utf8), mount = Array("mount".utf8)

    /// The form in which a word is compared: the word itself, or its usual abbreviation, such as st for saint.
    private static func plain(_ word: [UInt8]) -> [UInt8] {
        switch word {
        case saint, sankt: [0x73, 0x74]
        case sainte: [0x73, 0x74, 0x65]
        case fort: [0x66, 0x74]
        case mount: [0x6D, 0x74]
        default: word
        }
    }

    /// Whether a Unicode scalar is a diacritical mark that is ignored when names are compared.
    private static func isDropped(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x300...0x36F, 0x483...0x489, 0x591...0x5BD, 0x5BF...0x5C7, 0x610...0x61A, 0x64B...0x65F, 0x670,
            0x6D6...0x6DC, 0x6DF...0x6E4, 0x6E7...0x6E8, 0x6EA...0x6ED, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF,
            0x20D0...0x20FF, 0xFE00...0xFE0F, 0xFE20...0xFE2F:
            true
        default: false
        }
    }
}

extension FoldedText {
    /// The key (hash) of the name that a range of the words forms; see `NameKey`.
    public func key(_ range: Range<Int>) -> NameKey { NameKey(words: words[range]) }

    /// The key (hash) of the name that all words together form; nil if there are no words.
    public var key: NameKey? { words.isEmpty ? nil : key(words.indices) }
}
