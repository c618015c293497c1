import ClientVocabulary
import Parts
import PartsTestSupport
import SextantUnits

@testable import Access

/// A book with the client "tracker" on connection 1, and "other" on connection 9, an agent, and all texts.
struct AuthorizationScene {
    var book = AuthorizationBook()
    /// What the last event led to.
    var effects: [AuthorizationEffect] = []

    static let one = ClientID(rawValue: 1)
    static let two = ClientID(rawValue: 2)
    static let stranger = ClientID(rawValue: 9)
    static let useText = "To draw the way home."
    static let alwaysText = "To open the gate when you come."
    static let trackText = "To find the very tree."

    init(_ purposes: PurposeStrings = AuthorizationScene.purposes, agents: Int = 1) {
        self.do(.manifests(AuthorizationScene.manifests(purposes)))
        self.do(.agents(count: agents))
        self.do(.connected(AuthorizationScene.one, client: "tracker"))
        self.do(.connected(AuthorizationScene.stranger, client: "other"))
    }

    static let purposes = PurposeStrings(
        whenInUse: useText, always: alwaysText, temporary: ["track": trackText, "blank": ""])

    static func manifests(_ purposes: PurposeStrings = purposes) -> ClientManifests {
        var tracker = ClientManifest(name: "tracker", selector: ClientSelector(unit: "tracker.service"))
        tracker.purposes = purposes
        var other = ClientManifest(name: "other", selector: ClientSelector(user: 1000))
        other.purposes = purposes
        return ClientManifests([tracker, other])
    }

    @discardableResult
    mutating func `do`(_ event: AuthorizationEvent, at seconds: Double = 0) -> [AuthorizationEffect] {
        effects = []
        book.handle(event, at: at(seconds), into: &effects)
        return effects
    }

    /// What the last event led to, the records to keep left out.
    var seen: [AuthorizationEffect] {
        effects.filter { if case .keep = $0 { false } else { true } }
    }

    mutating func ask(_ request: AuthorizationRequest, session: Int64 = 0, at seconds: Double = 0) {
        self.do(.requested(AuthorizationScene.one, session: session, request), at: seconds)
    }

    mutating func answer(_ answer: OperatorAnswer, at seconds: Double = 0) {
        self.do(.answered(client: "tracker", answer), at: seconds)
    }

    mutating func becomeForeground(_ isForeground: Bool, at seconds: Double) {
        self.do(.state(AuthorizationScene.one, isForeground: isForeground), at: seconds)
    }

    mutating func leave(at seconds: Double) { self.do(.gone(AuthorizationScene.one), at: seconds) }

    /// Provisional Always, and the client has left.
    mutating func becomeProvisionalAndLeave() {
        ask(.always)
        answer(.allow)
        leave(at: 1)
        self.do(.timePassed, at: 6)
    }

    var rights: ClientRights { book.rights(of: "tracker") }
    var status: AuthorizationStatus { rights.status }

    static let changed = AuthorizationEffect.changed(client: "tracker")
    static let withdrawn = AuthorizationEffect.promptWithdrawn(client: "tracker")

    static func prompt(_ kind: PromptKind) -> Prompt {
        switch kind {
        case .whenInUse: prompt(kind, useText, [.allow, .once, .deny])
        case .always: prompt(kind, alwaysText, [.always, .keep])
        case .fullAccuracy: prompt(kind, trackText, [.allow, .deny])
        case .services: prompt(kind, useText, [.on, .off])
        }
    }

    private static func prompt(_ kind: PromptKind, _ text: String, _ answers: [OperatorAnswer]) -> Prompt {
        Prompt(client: "tracker", kind: kind, purpose: text, answers: answers)
    }

    static func raised(_ kind: PromptKind) -> AuthorizationEffect { .promptRaised(prompt(kind)) }
}
