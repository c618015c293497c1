internal import SextantJSON

/// The languages whose names of a place are kept; the local name is always kept.
public struct NameLanguages: Sendable, Hashable {
    /// The codes of the languages; empty if names in all languages are kept.
    private var codes: [String] = []

    /// Keeps the names in all languages.
    public init() {}

    /// - Parameter list: BCP 47 codes, separated by commas, such as de,fr,zh-Hant.
    /// - Returns: Nil if the text is not such a list.
    public init?(_ list: String) {
        codes = list.split(separator: ",", omittingEmptySubsequences: false).map { $0.lowercased() }
        guard codes.allSatisfy(NameLanguages.isLanguage) else { return nil }
    }

    /// Whether a text is a language code of two or three letters, possibly followed by a script or a region.
    private static func isLanguage(_ code: some StringProtocol) -> Bool {
        let parts = code.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let first = parts.first, (2...3).contains(first.count), first.allSatisfy(isLowercase) else {
            return false
        }
        return parts.dropFirst().allSatisfy { !$0.isEmpty && $0.count <= 8 }
    }

    private static func isLowercase(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte) }

    /// Whether the name under a key of OpenStreetMap is kept.
    ///
    /// The key `name:zh-Hant` stands for a name in Chinese, which is kept if names in Chinese are kept; `alt_name`
    /// names no language, and is always kept.
    func keep(_ key: String) -> Bool {
        guard let colon = key.firstIndex(of: ":") else { return true }
        let language = key[key.index(after: colon)...].lowercased()
        guard NameLanguages.isLanguage(language) else { return false }
        return codes.isEmpty || codes.contains { language == $0 || language.hasPrefix("\($0)-") }
    }

    /// The local name and, in alphabetical order, the other names that are kept, from a map of OpenStreetMap keys to
    /// names.
    ///
    /// If a place has no local name, the first of the other names replaces it.
    func names(_ members: [String: JSONValue]) -> (own: String, others: [String]) {
        let others = members.filter { $0.key != "name" && keep($0.key) }.values.compactMap { $0.asText }
        let sorted = Set(others).sorted().filter { !$0.isEmpty }
        let own = members["name"]?.asText ?? sorted.first ?? ""
        return (own, sorted.filter { $0 != own })
    }
}
