/// The reason why a client's question to the user is not asked or not answered, as a message for the operator, not the
/// client.
public enum AuthorizationNote: Sendable, Hashable {
    case noAgent
    case missingWhenInUsePurpose
    case missingAlwaysPurpose
    /// The client started a service without requesting authorization, and its manifest says `asksAtStart: false`.
    case startedUnasked
    case unknownPurposeKey(String)
    case unreadableDecision
    case noManifest

    /// Sentences that say what the problem is and how to solve it.
    public var message: String {
        switch self {
        case .noAgent:
            "its question waits and no agent is connected; show it with sextant agent, or answer with sextant clients allow"
        case .missingWhenInUsePurpose:
            "it asks for authorization without saying why; its manifest needs a text for whenInUse"
        case .missingAlwaysPurpose:
            "it asks for Always without saying why; its manifest needs texts for always and for whenInUse"
        case .startedUnasked:
            "it started a service without asking for authorization, and its manifest says asksAtStart: false; allow it: "
                + "sextant clients allow"
        case .unknownPurposeKey(let key):
            "it asks for full accuracy under the key \(key); its manifest needs a temporary text of that key"
        case .noManifest:
            "its manifest is missing, so it is not served, and what is stored about it waits a day; put the file back, "
                + "or forget the client with sextant privacy erase"
        case .unreadableDecision:
            "what was decided about it cannot be read (another version of sextantd wrote it), so it is denied; "
                + "decide anew with sextant clients"
        }
    }
}
