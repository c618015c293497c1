/// The texts in a client's manifest that say why it asks for locations; they are shown with the questions to the user.
///
/// An empty text counts as missing.
public struct PurposeStrings: Sendable, Equatable {
    /// The text for when-in-use authorization: Apple's `NSLocationWhenInUseUsageDescription`.
    public var whenInUse: String? { didSet { whenInUse = PurposeStrings.text(whenInUse) } }
    /// The text for Always authorization: Apple's `NSLocationAlwaysAndWhenInUseUsageDescription`.
    public var always: String? { didSet { always = PurposeStrings.text(always) } }
    /// The texts for temporary full accuracy by their keys: Apple's `NSLocationTemporaryUsageDescriptionDictionary`.
    private var temporary: [String: String]

    public init(whenInUse: String? = nil, always: String? = nil, temporary: [String: String] = [:]) {
        self.whenInUse = PurposeStrings.text(whenInUse)
        self.always = PurposeStrings.text(always)
        self.temporary = temporary.filter { !$0.value.isEmpty }
    }

    /// The text for temporary full accuracy under a key; nil if the key has no text.
    public func temporary(_ key: String) -> String? { temporary[key] }

    /// The keys that have a text for temporary full accuracy, sorted.
    public var temporaryKeys: [String] { temporary.keys.sorted() }

    private static func text(_ text: String?) -> String? { text.flatMap { $0.isEmpty ? nil : $0 } }
}
