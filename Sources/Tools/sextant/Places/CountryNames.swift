internal import SextantJSON
internal import SextantPlaces

/// The names of countries in one language, from Debian's package iso-codes.
struct CountryNames {
    private let codes: [String: String]
    private let catalogue: MessageCatalogue?

    /// - Parameter language: A locale identifier, such as de, de_CH, pt-BR, zh-Hant or sr-Latn.
    init(_ language: String) {
        catalogue =
            LanguageCatalogues.names(for: language).lazy.compactMap(MessageCatalogue.init(countriesIn:)).first
        codes = catalogue == nil ? [:] : CountryNames.englishNames()
    }

    /// The name of a country in the language; nil if the catalogue has none.
    ///
    /// - Parameter code: The country's ISO 3166-1 code of two letters.
    func name(of code: String) -> String? { codes[code].flatMap { catalogue?[$0] } }

    /// The English names of countries by their ISO 3166-1 code; the translation catalogues look names up by the English
    /// name.
    private static func englishNames() -> [String: String] {
        guard let bytes = try? InputFile.contents(of: "/usr/share/iso-codes/json/iso_3166-1.json"),
            let root = JSONMembers(parsing: bytes)
        else { return [:] }
        var names: [String: String] = [:]
        for members in root.objects("3166-1") {
            guard let code = members.text("alpha_2") else { continue }
            if case .string(let name)? = members["common_name"] ?? members["name"] { names[code] = name }
        }
        return names
    }
}

/// A catalogue of translated messages in gettext's MO format.
///
/// Source: "GNU gettext utilities", "The Format of GNU MO Files".
private struct MessageCatalogue {
    private var messages: [String: String] = [:]

    init?(countriesIn language: String) {
        guard
            let bytes = try? InputFile.contents(of: "/usr/share/locale/\(language)/LC_MESSAGES/iso_3166-1.mo"),
            MessageCatalogue.word(0, in: bytes) == 0x9504_12DE, let count = MessageCatalogue.word(8, in: bytes),
            let originals = MessageCatalogue.word(12, in: bytes),
            let translations = MessageCatalogue.word(16, in: bytes)
        else { return nil }
        for index in 0..<min(count, 10_000) {
            guard let original = MessageCatalogue.text(originals + 8 * index, in: bytes),
                let translation = MessageCatalogue.text(translations + 8 * index, in: bytes)
            else { return nil }
            messages[original] = translation
        }
    }

    subscript(original: String) -> String? { messages[original].flatMap { $0.isEmpty ? nil : $0 } }

    private static func word(_ offset: Int, in bytes: [UInt8]) -> Int? {
        guard offset >= 0, offset + 4 <= bytes.count else { return nil }
        return (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
    }

    /// The text whose length and position the file has at this offset.
    private static func text(_ offset: Int, in bytes: [UInt8]) -> String? {
        guard let count = word(offset, in: bytes), let start = word(offset + 4, in: bytes), start + count <= bytes.count
        else { return nil }
        return String(validating: bytes[start..<start + count], as: UTF8.self)
    }
}
