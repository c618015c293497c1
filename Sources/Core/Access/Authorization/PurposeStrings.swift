/// A client's reasons for asking, in the words of its manifest, which are shown with the questions to the user.
///
/// An empty text counts as missing.
public struct PurposeStrings: Sendable, Equatable {
    /// `NSLocationWhenInUseUsageDescription`.
    public var whenInUse: String? { didSet { whenInUse = PurposeStrings.text(whenInUse) } }
    /// `NSLocationAlwaysAndWhenInUseUsageDescription`.
    public var always: String? { didSet { always = PurposeStrings.text(always) } }
    /// `NSLocationTemporaryUsageDescriptionDictionary`: a text for each key.
    private var temporary: [String: String]

    public init(whenInUse: String? = nil, always: String? = nil, temporary: [String: String] = [:]) {
        self.whenInUse = PurposeStrings.text(whenInUse)
        self.always = PurposeStrings.text(always)
        self.temporary = temporary.filter { !$0.value.isEmpty }
    }

    /// The reason for temporary full accuracy; nil where the key has no text.
    public func temporary(_ key: String) -> String? { temporary[key] }

    /// The keys that have a text, sorted.
    public var temporaryKeys: [String] { temporary.keys.sorted() }

    private static func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
