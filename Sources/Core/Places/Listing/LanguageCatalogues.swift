/// The names of the gettext catalogues that can hold the translations for a language.
public enum LanguageCatalogues {
    /// The catalogue names for a locale's identifier or a language tag, the best first; empty if the text is neither.
    ///
    /// zh-Hant-HK gives zh_HK and zh_TW, sr-Latn gives sr@latin and sr, de_CH gives de_CH and de. The language's
    /// catalogue without a script comes after those with the wanted script. Chinese is different: its catalogues are
    /// named by region only, and a catalogue in one of the two Chinese scripts is never used for the other script.
    ///
    /// Source: "GNU gettext utilities", "Locale Names"; ISO 15924 for the scripts.
    public static func names(for identifier: String) -> [String] {
        guard let tag = ServerQuestion.language(identifier) else { return [] }
        let parts = tag.split(separator: "-").map(String.init)
        let language = parts[0]
        let script = parts.dropFirst().first { $0.utf8.count == 4 }
        let region = parts.dropFirst().first { $0.utf8.count == 2 }
        if language == "zh" { return chinese(script, region) }
        let general = (region.map { ["\(language)_\($0)"] } ?? []) + [language]
        let modifier: String
        switch script {
        case "Latn": modifier = "@latin"
        case "Cyrl": modifier = "@cyrillic"
        default: return general
        }
        return general.map { $0 + modifier } + general
    }

    private static func chinese(_ script: String?, _ region: String?) -> [String] {
        switch (script, region) {
        case ("Hant", "HK"), ("Hant", "MO"), (nil, "HK"), (nil, "MO"): ["zh_HK", "zh_TW"]
        case ("Hant", _), (nil, "TW"): ["zh_TW"]
        default: ["zh_CN"]
        }
    }
}
