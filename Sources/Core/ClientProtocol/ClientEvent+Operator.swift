public import ClientVocabulary
public import Monitors
public import SextantJSON

/// A client as the daemon reports it to an operator.
public struct ClientObject: Sendable {
    public var name: String
    /// The systemd unit, user, group or program by which the client's processes are recognised.
    public var selector: String
    public var access: AccessObject
    public var connections = 0
    public var isInUse = false
    /// The kind of question about the client's authorization that still waits for the user's answer; nil if none waits.
    public var waiting: PromptKind?
    /// Why the client's requests have no effect, or less than its authorization allows, in words; nil if there is no
    /// such problem.
    public var problem: String?
    /// The names of authorized clients that this client's programs could pretend to be, to get locations; empty if this
    /// client is itself authorized.
    public var alsoAs: [String] = []
    public var registrations = 0
    public var pendingEvents = 0

    public init(name: String, selector: String, access: AccessObject) {
        self.name = name
        self.selector = selector
        self.access = access
    }
}

/// A question that asks the board's user about a client's authorization.
public struct PromptObject: Sendable {
    public var client: String
    public var kind: PromptKind
    /// The text that the client's manifest has for this question.
    public var purpose: String
    /// The text in which the program itself says what it uses locations for; nil if it has sent none.
    public var statedPurpose: String?
    public var answers: [OperatorAnswer]
    /// Whether the client would only get locations with an accuracy of some kilometres.
    public var isReduced: Bool

    public init(
        client: String, kind: PromptKind, purpose: String, statedPurpose: String?, answers: [OperatorAnswer],
        isReduced: Bool
    ) {
        self.client = client
        self.kind = kind
        self.purpose = purpose
        self.statedPurpose = statedPurpose
        self.answers = answers
        self.isReduced = isReduced
    }
}

/// A past visit of the board to a place, as the daemon reports it to an operator.
public struct PastVisitObject: Sendable, Equatable {
    public var visit: UInt64
    /// The number of the visited place; two visits to one place have equal numbers.
    public var place: UInt64
    /// The probability that the visit really took place, from 0 to 1.
    public var confidence: Double
    public var stay: VisitObject

    public init(visit: UInt64, place: UInt64, confidence: Double, stay: VisitObject) {
        self.visit = visit
        self.place = place
        self.confidence = confidence
        self.stay = stay
    }
}

/// Events for operators and for agents, the programs that ask the user about authorization.
extension ClientEvent {
    public static func append(_ client: ClientObject, id: String?, to text: inout TextBuffer) {
        text.begin(.client)
        text.member(.id, id)
        text.member(.name, client.name)
        text.member(.selector, client.selector)
        client.access.append(to: &text)
        text.member(.connections, client.connections)
        text.member(.inUse, client.isInUse)
        text.member(.waiting, client.waiting?.rawValue)
        text.member(.problem, client.problem)
        if !client.alsoAs.isEmpty { appendList(.alsoAs, client.alsoAs, to: &text) }
        text.member(.registrations, client.registrations)
        text.member(.pendingEvents, client.pendingEvents)
        end(&text)
    }

    public static func appendClients(count: Int, id: String?, to text: inout TextBuffer) {
        appendCount(.clients, count, id: id, to: &text)
    }

    public static func append(_ prompt: PromptObject, to text: inout TextBuffer) {
        text.begin(.prompt)
        text.member(.client, prompt.client)
        text.member(.kind, prompt.kind.rawValue)
        text.member(.purpose, prompt.purpose)
        text.member(.statedPurpose, prompt.statedPurpose)
        if prompt.isReduced { text.member(.accuracyAuthorization, AccuracyAuthorization.reduced.rawValue) }
        appendList(.answers, prompt.answers.map { $0.rawValue }, to: &text)
        end(&text)
    }

    public static func appendPromptWithdrawn(client: String, to text: inout TextBuffer) {
        text.begin(.promptWithdrawn)
        text.member(.client, client)
        end(&text)
    }

    /// Appends the answer that tells that an `answer`, `services`, `agent` or `watchCompass` request was carried out.
    public static func appendDone(
        _ event: EventName, isEnabled: Bool? = nil, client: String? = nil, id: String?, to text: inout TextBuffer
    ) {
        text.begin(event)
        text.member(.id, id)
        text.member(.client, client)
        text.member(.enabled, isEnabled)
        end(&text)
    }

    /// Appends how many entries of one kind (such as events or regions) are stored about a client.
    public static func appendStored(
        client: String, kind: OperatorRequest.Stored, count: Int, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.stored)
        text.member(.id, id)
        text.member(.client, client)
        text.member(.kind, kind.rawValue)
        text.member(.count, count)
        end(&text)
    }

    public static func appendPrivacy(count: Int, id: String?, to text: inout TextBuffer) {
        appendCount(.privacy, count, id: id, to: &text)
    }

    /// Appends a point of the track.
    public static func append(_ place: TrackedPlace, id: String?, to text: inout TextBuffer) {
        text.begin(.trackPoint)
        text.member(.id, id)
        text.member(.time, place.time)
        text.member(.latitude, place.latitude, decimals: 7)
        text.member(.longitude, place.longitude, decimals: 7)
        text.member(.altitude, place.altitude, decimals: 1)
        text.member(.horizontalAccuracy, place.horizontalAccuracy, decimals: 1)
        text.member(.speed, place.speed, decimals: 2)
        text.member(.course, place.course, decimals: 1)
        if place.isAfterSleep { text.member(.afterSleep, true) }
        end(&text)
    }

    /// Appends the last line of the answer to a `history` request for points of the board's track.
    ///
    /// - Parameters:
    ///   - count: The number of points that were sent.
    ///   - total: The number of points in the whole stored track.
    ///   - hasMore: Whether the requested range of times has more points than those that were sent.
    public static func appendHistory(
        count: Int, total: Int, hasMore: Bool, id: String?, to text: inout TextBuffer
    ) {
        text.begin(.history)
        text.member(.id, id)
        text.member(.count, count)
        text.member(.total, total)
        if hasMore { text.member(.more, true) }
        end(&text)
    }

    /// Appends a past visit of the board to a place.
    public static func append(_ visit: PastVisitObject, id: String?, to text: inout TextBuffer) {
        text.begin(.pastVisit)
        text.member(.id, id)
        text.member(.visit, visit.visit)
        text.member(.place, visit.place)
        appendMembers(visit.stay, to: &text)
        text.member(.confidence, visit.confidence, decimals: 2)
        end(&text)
    }

    /// Appends the last line of the answer to a `visits` request.
    ///
    /// - Parameters:
    ///   - count: The number of visits that were sent.
    ///   - total: The number of visits that are stored in all.
    public static func appendVisits(count: Int, total: Int, id: String?, to text: inout TextBuffer) {
        text.begin(.visits)
        text.member(.id, id)
        text.member(.count, count)
        text.member(.total, total)
        end(&text)
    }

    public static func appendErased(count: Int, id: String?, to text: inout TextBuffer) {
        appendCount(.erased, count, id: id, to: &text)
    }
}
