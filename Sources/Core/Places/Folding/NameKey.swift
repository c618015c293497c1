internal import SextantUnits

/// The key by which a name is found in a table: a 40-bit hash of the name's folded words (lower-case, without marks),
/// written together.
///
/// Spaces do not count: "New York" and "Newyork" have one key. Among a million names, the probability that any two
/// share a key by chance is about 0.37. The probability that a word which is no name has the key of one of a million
/// names is one in a million. The hash is FNV-1a of 64 bits, folded to 40.
public struct NameKey: Sendable, Hashable {
    /// The hash, 0 to 2⁴⁰ - 1.
    public let rawValue: Int64

    public init(words: some Sequence<[UInt8]>) {
        var hash = FNV1a()
        for word in words {
            for byte in word { hash.add(byte) }
        }
        rawValue = Int64((hash.value ^ hash.value >> 40) & 0xFF_FFFF_FFFF)
    }
}

extension NameKey {
    /// All keys under which a table stores a name.
    ///
    /// These are the keys of the name itself; of the name with ä, ö, ü, å and ø written as ae, oe, ue, aa and oe; of
    /// the name without a part in brackets; and of each part of a name such as "A / B".
    public static func keys(of name: String) -> Set<NameKey> {
        var keys: Set<NameKey> = []
        for text in forms(of: name) {
            if let key = FoldedText(text).key { keys.insert(key) }
            if let plain = germanSpelling(of: text), let key = FoldedText(plain).key { keys.insert(key) }
        }
        return keys
    }

    private static func forms(of name: String) -> [String] {
        var forms = [name]
        guard name.utf8.contains(where: { $0 == 0x28 || $0 == 0x2F }) else { return forms }
        let bare = PlaceName.withoutBrackets(name)
        if bare != name { forms.append(bare) }
        let parts = PlaceName.parts(of: bare)
        if parts.count > 1 { forms += parts }
        return forms
    }

    /// The name with ae, oe, ue, aa and oe for ä, ö, ü, å and ø, such as "Zuerich"; nil if it has none of these
    /// letters.
    private static func germanSpelling(of text: String) -> String? {
        var isChanged = false
        var spelling = ""
        for scalar in text.unicodeScalars {
            let letters: String
            switch scalar {
            case "ä", "Ä": letters = "ae"
            case "ö", "Ö", "ø", "Ø": letters = "oe"
            case "ü", "Ü": letters = "ue"
            case "å", "Å": letters = "aa"
            default:
                spelling.unicodeScalars.append(scalar)
                continue
            }
            isChanged = true
            spelling += letters
        }
        return isChanged ? spelling : nil
    }
}
