internal import ClientProtocol

/// What a session asks the user for.
public enum SessionRequest: Sendable, Equatable {
    case whenInUse
    case always
    case fullAccuracy(purposeKey: String)
}

/// A request, and the session that it is asked for.
public struct SessionQuestion: Sendable, Equatable {
    public var request: SessionRequest
    public var number: Int
    public var connection: ClientID

    public init(request: SessionRequest, number: Int, connection: ClientID) {
        self.request = request
        self.number = number
        self.connection = connection
    }
}

/// What the user was asked for already, and under which conditions.
struct AskedRequests: Sendable, Equatable {
    var authorization = SessionGoal.Authorization.none
    var purposeKeys: [String] = []
    private var status: AuthorizationStatus?
    private var wasInUse = false

    /// Forgets what may be asked for again: authorization with every change of it, because a temporary one lapses, and
    /// with every new use, because a question dies with the old one; full accuracy when it was had and lapsed.
    mutating func follow(_ conditions: ClientConditions, held: [SessionGoal]) {
        let isNewUse = conditions.isInUse && !wasInUse
        if status != conditions.status || isNewUse { authorization = .none }
        status = conditions.status
        wasInUse = conditions.isInUse
        purposeKeys.removeAll { key in
            conditions.accuracy == .full || !held.contains { $0.fullAccuracyPurposeKey == key }
        }
    }
}

extension ServiceSessions {
    /// What to ask the user for now, one question at most; each is asked once, and again when what was granted has lapsed.
    ///
    /// Asked is only while the client is in use and, for full accuracy, in the foreground. An implicit session asks for
    /// nothing where the manifest wants explicit ones.
    public mutating func requests(under conditions: ClientConditions) -> [SessionQuestion] {
        establish(under: conditions)
        asked.follow(conditions, held: entries.map(\.held))
        guard conditions.isInUse, !conditions.requestInProgress, !conditions.isDeniedGlobally else { return [] }
        switch conditions.status {
        case .denied, .restricted: return []
        case .notDetermined: return authorizationQuestion(beyond: .none, under: conditions)
        case .authorizedWhenInUse:
            let question = authorizationQuestion(beyond: .whenInUse, under: conditions)
            return question.isEmpty ? accuracyQuestion(under: conditions) : question
        case .authorizedAlways: return accuracyQuestion(under: conditions)
        }
    }

    /// The question of the first session that asks for the most.
    private mutating func authorizationQuestion(
        beyond granted: SessionGoal.Authorization, under conditions: ClientConditions
    ) -> [SessionQuestion] {
        let asking = asking(under: conditions)
        let wanted = asking.lazy.map(\.held.authorization).max() ?? .none
        guard wanted > max(granted, asked.authorization),
            let entry = asking.first(where: { $0.held.authorization == wanted })
        else { return [] }
        asked.authorization = wanted
        let request: SessionRequest = wanted == .always ? .always : .whenInUse
        return [SessionQuestion(request: request, number: entry.number, connection: entry.connection)]
    }

    private mutating func accuracyQuestion(under conditions: ClientConditions) -> [SessionQuestion] {
        guard conditions.accuracy == .reduced, conditions.isForeground else { return [] }
        for entry in asking(under: conditions) {
            guard let key = entry.held.fullAccuracyPurposeKey, !asked.purposeKeys.contains(key) else { continue }
            asked.purposeKeys.append(key)
            return [
                SessionQuestion(
                    request: .fullAccuracy(purposeKey: key), number: entry.number, connection: entry.connection)
            ]
        }
        return []
    }

    private func asking(under conditions: ClientConditions) -> [Entry] {
        entries.filter { $0.isEstablished && !($0.held.isImplicit && conditions.requiresServiceSession) }
    }
}
