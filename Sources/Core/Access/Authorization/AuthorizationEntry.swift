internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The authorization of one client with a manifest, and the questions to the user about this client.
struct AuthorizationEntry: Sendable, Equatable {
    /// What is the same for all clients: the switch of location services, the number of agents, and whether decisions
    /// were lost.
    struct Surroundings: Sendable, Equatable {
        var servicesEnabled = true
        /// Whether stored decisions were lost; a client without a record then needs a new decision even if the policy
        /// allows the client.
        var isInDoubt = false
        var agents = 0
    }

    var manifest: ClientManifest
    var rule: OperatorPolicy.Rule
    var surroundings: Surroundings
    var record = AuthorizationRecord()
    /// Whether the client's stored record cannot be read; the record then stays stored until an operator decides anew.
    var isUnreadable = false
    var use = ClientUse()
    var hasTemporaryFullAccuracy = false
    var queue = QuestionQueue()
    /// Whether the user, asked since location services were switched off, has answered that they stay off.
    var isLeftOff = false
    var notes: [AuthorizationNote] = []
    /// The client's state, as the effects have last reported it.
    var told: Told
    /// Effects that have occurred since the last call of `settle`, and that its next call returns among its own.
    var outcomes: [AuthorizationEffect] = []

    init(_ manifest: ClientManifest, rule: OperatorPolicy.Rule, surroundings: Surroundings) {
        self.manifest = manifest
        self.rule = rule
        self.surroundings = surroundings
        told = Told(rights: ClientRights(), servicesEnabled: surroundings.servicesEnabled)
        told.rights = rights
    }

    var client: String { manifest.name }
}

/// The client's rights.
extension AuthorizationEntry {
    /// The client's authorization status, regardless of whether location services are switched on.
    var ownStatus: AuthorizationStatus {
        if manifest.isAbsent { return .restricted }
        if let status = rule.finalStatus { return status }
        guard record.status == .notDetermined else { return record.status }
        let status = rule.authorization?.status ?? .notDetermined
        // If decisions were lost, the policy alone does not authorize the client, because a lost decision may have
        // denied it.
        return surroundings.isInDoubt && status.isAuthorized ? .notDetermined : status
    }

    /// The accuracy that applies to the client now, with a temporary grant taken into account.
    var accuracy: AccuracyAuthorization {
        if let accuracy = rule.finalAccuracy { return accuracy }
        if hasTemporaryFullAccuracy { return .full }
        if let accuracy = record.accuracy { return accuracy }
        if surroundings.isInDoubt { return .reduced }
        return rule.accuracy ?? (manifest.defaultAccuracyReduced ? .reduced : .full)
    }

    /// Whether authorization at all times was granted provisionally, before the user was asked about it.
    var isProvisional: Bool { rule.finalStatus == nil && record.isProvisional }

    var rights: ClientRights {
        ClientRights(
            status: surroundings.servicesEnabled ? ownStatus : .denied, accuracy: accuracy,
            isForeground: use.isForeground, isInUse: use.isInUse, mayBeWoken: record.mayBeWoken,
            waiting: put?.kind.promptKind)
    }

    /// The first waiting question; while location services are off, only the question whether to switch them on counts.
    var put: AuthorizationQuestion? { queue.questions.first { surroundings.servicesEnabled || $0.kind == .services } }

    /// The question that agents show now, in the form in which they receive it; nil if no question waits, or during the
    /// pause after another question.
    var prompt: Prompt? {
        guard queue.pausedUntil == nil, let put, let purpose = purpose(of: put.kind) else { return nil }
        return Prompt(
            client: client, kind: put.kind.promptKind, purpose: purpose, answers: put.answers,
            isReduced: accuracy == .reduced && put.kind.promptKind != .fullAccuracy)
    }

    /// The problem of the client that an operator can solve; nil if there is none.
    var problem: AuthorizationNote? {
        if manifest.isAbsent { return .noManifest }
        return isUnreadable ? .unreadableDecision : notes.last { $0 != .noAgent || put != nil }
    }

    func purpose(of kind: AuthorizationQuestion.Kind) -> String? {
        switch kind {
        case .whenInUse, .services: manifest.purposes.whenInUse
        case .always, .provisional: manifest.purposes.always
        case .fullAccuracy(let key): manifest.purposes.temporary(key)
        }
    }
}

extension AuthorizationQuestion.Kind {
    var promptKind: PromptKind {
        switch self {
        case .whenInUse: .whenInUse
        case .always, .provisional: .always
        case .fullAccuracy: .fullAccuracy
        case .services: .services
        }
    }
}

/// What happens when a connection of the client ends, and when an instant comes at which a change is due.
extension AuthorizationEntry {
    mutating func disconnect(_ id: ClientID, at instant: MonotonicInstant) {
        use.disconnect(id, at: instant)
        withdraw(id, session: nil)
    }

    /// The next instant at which, without an event, the client's time in use or the pause between questions ends; nil
    /// for none.
    var deadline: MonotonicInstant? { .earlier(use.lingersUntil, queue.deadline) }

    /// Ends the client's time in use and the pause between questions, as far as their ends are due by this instant.
    ///
    /// - Returns: Whether the time in use or the pause ended.
    mutating func pass(to instant: MonotonicInstant) -> Bool {
        let hasEnded = use.pass(to: instant)
        return queue.pass(to: instant) || hasEnded
    }
}
