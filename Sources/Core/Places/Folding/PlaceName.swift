/// Takes apart the names that GeoNames writes like "Zürich (Kreis 11) / Oerlikon" and "Halle (Saale)".
public enum PlaceName {
    /// The name without the part in brackets.
    public static func withoutBrackets(_ name: String) -> String {
        guard name.utf8.contains(0x28) else { return name }
        var depth = 0
        var bare = ""
        for character in name {
            switch character {
            case "(": depth += 1
            case ")": depth = max(0, depth - 1)
            default: if depth == 0 { bare.append(character) }
            }
        }
        let words = bare.split(separator: " ")
        return words.isEmpty ? name : words.joined(separator: " ")
    }

    /// The part of a name in brackets; nil if there is none.
    public static func inBrackets(_ name: String) -> String? {
        guard let start = name.firstIndex(of: "("), let end = name[start...].firstIndex(of: ")") else { return nil }
        let text = name[name.index(after: start)..<end]
        return text.isEmpty ? nil : String(text)
    }

    /// The parts of a name that slashes separate; the whole name if it has no slash.
    public static func parts(of name: String) -> [String] {
        guard name.utf8.contains(0x2F) else { return [name] }
        return name.split(separator: "/").map(trimmed).filter { !$0.isEmpty }
    }

    private static func trimmed(_ text: Substring) -> String {
        let start = text.firstIndex { $0 != " " } ?? text.endIndex
        let end = text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.endIndex
        return start < end ? String(text[start..<end]) : ""
    }
}
