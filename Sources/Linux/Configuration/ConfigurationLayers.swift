public import SextantJSON

/// The objects of several configuration files, merged key by key; a later file overrides the earlier ones.
///
/// Two objects of the same key are merged, null removes the key, and any other value replaces the earlier one: a JSON
/// merge patch (RFC 7396). The file of every value is remembered, so that an error names the file to correct.
public struct ConfigurationLayers {
    private(set) var members: [String: JSONValue] = [:]
    /// The path of the file from which each value came, by the value's full key, such as `receiver.model`.
    ///
    /// An object that was merged from several files has no entry.
    private(set) var origins: [String: String] = [:]

    /// Decides whether a later file's object replaces an earlier file's object of the same key, instead of being merged
    /// with it.
    ///
    /// The arguments are the full key, the earlier object and the later object.
    public typealias Replacement = (String, [String: JSONValue], [String: JSONValue]) -> Bool

    public init() {}

    /// Merges a file's members over those of the earlier files; members that a caller has already taken from the file
    /// are not merged.
    public mutating func put(_ file: ConfigurationSection, replacing isReplaced: Replacement) {
        var merged = members
        merge(file.members, into: &merged, prefix: "", of: file.path, isReplaced)
        members = merged
    }

    private mutating func merge(
        _ upper: [String: JSONValue], into lower: inout [String: JSONValue], prefix: String, of file: String,
        _ isReplaced: Replacement
    ) {
        for (key, value) in upper {
            let whole = prefix + key
            if case .object(let above) = value, case .object(var below)? = lower[key], !isReplaced(whole, below, above)
            {
                merge(above, into: &below, prefix: "\(whole).", of: file, isReplaced)
                lower[key] = .object(below)
                if origins[whole] != file { origins[whole] = nil }
            } else {
                if lower[key] != nil { forget(whole) }
                lower[key] = ConfigurationLayers.withoutNulls(value)
                remember(whole, lower[key], of: file)
            }
        }
    }

    private mutating func forget(_ whole: String) {
        origins = origins.filter { $0.key != whole && !$0.key.hasPrefix("\(whole).") }
    }

    private mutating func remember(_ whole: String, _ value: JSONValue?, of file: String) {
        guard let value else { return }
        origins[whole] = file
        guard case .object(let inner) = value else { return }
        for (key, value) in inner { remember("\(whole).\(key)", value, of: file) }
    }

    /// The value without the nulls in its objects; nil if the value itself is null.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: nil
        case .object(let members): .object(members.compactMapValues(withoutNulls))
        case .bool, .number, .string, .array: value
        }
    }
}
