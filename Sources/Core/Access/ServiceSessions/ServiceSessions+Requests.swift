internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// A request to the user that a session makes.
enum SessionRequest: Sendable, Equatable {
    case whenInUse
    case always
    case fullAccuracy(purposeKey: String)
}

/// A request to the user, and the session that makes it.
struct SessionQuestion: Sendable, Equatable {
    var request: SessionRequest
    var number: UInt32
    var connection: ClientID

    init(request: SessionRequest, number: UInt32, connection: ClientID) {
        self.request = request
        self.number = number
        self.connection = connection
    }
}

/// The requests that the user was already asked about, and the conditions at that time.
struct AskedRequests: Sendable, Equatable {
    var authorization = SessionGoal.Authorization.none
    var purposeKeys: [String] = []
    private var status: AuthorizationStatus?
    private var wasInUse = false
    private var hadPurpose = true

    /// Forgets the requests that may be made again.
    ///
    /// A request for authorization is forgotten when the status changes (a temporary authorization may have lapsed),
    /// when a new use begins (the question ended with the old use), and when the manifest gets a purpose text. A
    /// purpose key is forgotten once full accuracy is granted or no session holds the key.
    mutating func settle(_ conditions: ClientConditions, held: [SessionGoal]) {
        let isNewUse = conditions.isInUse && !wasInUse
        let isNewPurpose = conditions.hasPurpose && !hadPurpose
        if status != conditions.status || isNewUse || isNewPurpose { authorization = .none }
        status = conditions.status
        hadPurpose = conditions.hasPurpose
        wasInUse = conditions.isInUse
        purposeKeys.removeAll { key in
            conditions.accuracy == .full || !held.contains { $0.fullAccuracyPurposeKey == key }
        }
    }
}

extension ServiceSessions {
    /// The question to ask the user now, at most one; each is asked once, and again after its grant has lapsed.
    ///
    /// Questions are asked only while the client is in use and, for full accuracy, in the foreground. An implicit
    /// session asks for nothing where the manifest requires explicit ones.
    mutating func requests(under conditions: ClientConditions) -> [SessionQuestion] {
        establish(under: conditions)
        asked.settle(conditions, held: entries.map { $0.held })
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

    /// The question for the highest authorization wanted, in the name of the first session that wants it.
    private mutating func authorizationQuestion(
        beyond granted: SessionGoal.Authorization, under conditions: ClientConditions
    ) -> [SessionQuestion] {
        let asking = asking(under: conditions)
        let wanted = asking.lazy.map { $0.held.authorization }.max() ?? .none
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
