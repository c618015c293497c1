public import SextantJSON

/// The objects of several configuration files, laid over each other key by key.
///
/// Two objects are merged, null removes a key, and any other value replaces the earlier one: a JSON merge patch (RFC
/// 7396). The file of every value is remembered, so that an error names the file to correct.
public struct ConfigurationLayers {
    private(set) var members: [String: JSONValue] = [:]
    /// The file that each value came from, by its full key, such as `receiver.model`.
    ///
    /// An object merged from several files has no entry.
    private(set) var origins: [String: String] = [:]

    /// Decides whether an object replaces the one below instead of being merged with it.
    ///
    /// The arguments are the full key, the object below and the object above.
    public typealias Replacement = (String, [String: JSONValue], [String: JSONValue]) -> Bool

    public init() {}

    /// Lays the members of a file that were not taken yet over the layers so far.
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

    /// A value without the nulls inside its objects; nil for null itself.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: nil
        case .object(let members): .object(members.compactMapValues(withoutNulls))
        case .bool, .number, .string, .array: value
        }
    }
}
