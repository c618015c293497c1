internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// What a session wants the user to be asked for.
enum SessionRequest: Sendable, Equatable {
    case whenInUse
    case always
    case fullAccuracy(purposeKey: String)
}

/// A request to ask the user, and the session that makes the request.
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

/// The requests of sessions about which the user was already asked, and the client's conditions at that time.
struct AskedRequests: Sendable, Equatable {
    var authorization = SessionGoal.Authorization.none
    var purposeKeys: [String] = []
    private var status: AuthorizationStatus?
    private var wasInUse = false
    private var hadPurpose = true

    /// Forgets that the user was asked about those requests about which the user may be asked again.
    ///
    /// A request for authorization is forgotten when the status changes (a temporary authorization may have lapsed),
    /// when another use of the client begins (the question ended with the previous use), and when the manifest gets a
    /// purpose text. The purpose key of a request for full accuracy is forgotten once full accuracy is granted or no
    /// session holds the key.
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
    /// The question that the user must be asked now, at most one; each is asked once, and again after its grant has
    /// lapsed.
    ///
    /// Questions are asked only while the client is in use and, for full accuracy, in the foreground. An implicit
    /// session asks for nothing if the manifest requires explicit sessions.
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

    /// The question for the highest authorization that any session wants, in the name of the first session that wants
    /// it.
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
