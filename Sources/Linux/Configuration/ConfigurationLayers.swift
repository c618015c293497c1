public import JSON

/// The objects of several files, put over each other key by key.
///
/// Two objects are merged, null takes a key away, and any other value stands in the place of what was there: a JSON merge
/// patch (RFC 7396). Every value remembers its file, so that an error names the one to mend.
public struct ConfigurationLayers {
    private(set) var members: [String: JSONValue] = [:]
    /// By whole key, such as `receiver.model`: the file that the value is of; none for an object of several files.
    private(set) var origins: [String: String] = [:]

    /// Whether an object replaces the one below instead of being merged with it: its whole key, below, and above.
    public typealias Replacement = (String, [String: JSONValue], [String: JSONValue]) -> Bool

    public init() {}

    /// Puts what is left of a file over what is there.
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

    /// Nil for null itself.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue? {
        switch value {
        case .null: nil
        case .object(let members): .object(members.compactMapValues(withoutNulls))
        case .bool, .number, .string, .array: value
        }
    }
}
