internal import ClientVocabulary
internal import Parts
public import SextantUnits

/// The authorizations of all clients, and the questions to the user that wait for an answer.
///
/// An authorization says whether a client is allowed to know where the board is, when, and how exactly.
///
/// Only clients with a manifest have an entry, so there are no more entries than manifests. Requests of other clients
/// have no effect.
public struct AuthorizationBook: Sendable, Equatable {
    /// The clients' entries, sorted by the name of the client.
    private var entries: [AuthorizationEntry] = []
    var policy = OperatorPolicy()
    private var surroundings = AuthorizationEntry.Surroundings()

    /// The time for which a client still counts as in use after it left the foreground or its last background session
    /// ended.
    ///
    /// Unit: nanoseconds (5 s). Apple says "a short time"; the number is this project's, long enough for a client that
    /// restarts or resumes its session.
    public static let graceOfUse: Int64 = 5_000_000_000

    /// The pause before the next question about a client, after a question that was withdrawn or that can be asked more
    /// than once.
    ///
    /// Unit: nanoseconds (10 s), so that no client can cover a screen with questions. A question that is asked only
    /// once needs no pause after its answer.
    public static let pauseAfterQuestion: Int64 = 10_000_000_000

    public init() {}

    /// Applies an event, and appends its effects client by client, in the order of the clients' names.
    public mutating func handle(
        _ event: AuthorizationEvent, at instant: MonotonicInstant, into effects: inout [AuthorizationEffect]
    ) {
        pass(to: instant, &effects)
        let subject = subject(of: event)
        decide(event, at: instant, &effects)
        for index in subject.map({ $0..<$0 + 1 }) ?? entries.indices {
            entries[index].settle(at: instant, into: &effects)
        }
    }

    /// Before an event is applied, ends the clients' times in use and the pauses between questions that are due to end
    /// by this instant.
    private mutating func pass(to instant: MonotonicInstant, _ effects: inout [AuthorizationEffect]) {
        for index in entries.indices {
            guard entries[index].pass(to: instant) else { continue }
            entries[index].settle(at: instant, into: &effects)
        }
    }

    private mutating func decide(
        _ event: AuthorizationEvent, at instant: MonotonicInstant, _ effects: inout [AuthorizationEffect]
    ) {
        switch event {
        case .manifests(let manifests): replace(by: manifests, &effects)
        case .policy(let policy): change(to: policy)
        case .restored(let client, let record): restore(client, record, at: instant, &effects)
        case .decisionsLost: surround { ($0.isInDoubt, $0.servicesEnabled) = (true, false) }
        case .servicesEnabled(let isEnabled): surround { $0.servicesEnabled = isEnabled }
        case .agents(let count): surround { $0.agents = count }
        case .connected(let id, let client): connect(id, client)
        case .gone(let id): change(id) { $0.disconnect(id, at: instant) }
        case .beganInBackground(let id): change(id) { $0.use.beginInBackground(id, at: instant) }
        case .state(let id, let isForeground):
            change(id) { $0.use.change(id, at: instant) { $0.isForeground = isForeground } }
        case .usesBackground(let id, let uses):
            change(id) { $0.use.change(id, at: instant) { $0.usesBackground = uses } }
        case .requested(let id, let session, let request): change(id) { $0.request(request, of: id, session: session) }
        case .started(let id, let session): change(id) { $0.start(of: id, session: session) }
        case .requestedFullAccuracy(let id, let request, let key):
            requestFullAccuracy(id, request, key, &effects)
        case .withdrawn(let id, let session): change(id) { $0.withdraw(id, session: session) }
        case .eventDue(let client): settleOrAsk(client, &effects)
        case .answered(let client, let answer): change(client) { $0.answer(answer) }
        case .setAccuracy(let client, let accuracy): change(client) { $0.setAccuracy(accuracy) }
        case .setMayBeWoken(let client, let mayBeWoken): change(client) { $0.setMayBeWoken(mayBeWoken) }
        case .timePassed: break
        }
    }

    /// The index of the one entry that an event concerns; nil for an event that can concern all entries.
    ///
    /// If a hundred connections end at once, as many events come, so each of them must not cost a look at every entry.
    private func subject(of event: AuthorizationEvent) -> Int? {
        switch event {
        case .manifests, .policy, .decisionsLost, .servicesEnabled, .agents, .timePassed: nil
        case .restored(let client, _), .connected(_, let client), .eventDue(let client), .answered(let client, _),
            .setAccuracy(let client, _), .setMayBeWoken(let client, _):
            index(of: client)
        case .gone(let id), .beganInBackground(let id), .state(let id, _), .usesBackground(let id, _),
            .requested(let id, _, _), .started(let id, _), .requestedFullAccuracy(let id, _, _), .withdrawn(let id, _):
            index(of: id)
        }
    }

    private func index(of client: String) -> Int? {
        entries.index(named: client) { $0.client }
    }

    private func index(of id: ClientID) -> Int? { entries.indices.first { entries[$0].use.has(id) } }

    private mutating func change(_ client: String, _ body: (inout AuthorizationEntry) -> Void) {
        if let index = index(of: client) { body(&entries[index]) }
    }

    private mutating func change(_ id: ClientID, _ body: (inout AuthorizationEntry) -> Void) {
        if let index = index(of: id) { body(&entries[index]) }
    }
}

/// Changes that concern several clients, or a client that has no entry because it has no manifest.
extension AuthorizationBook {
    private mutating func replace(by manifests: ClientManifests, _ effects: inout [AuthorizationEffect]) {
        var old = entries
        entries = manifests.map { manifest in
            guard let index = old.firstIndex(where: { $0.client == manifest.name }) else {
                return AuthorizationEntry(
                    manifest, rule: policy.rule(for: manifest.name), surroundings: surroundings)
            }
            var entry = old.remove(at: index)
            entry.change(to: manifest)
            return entry
        }
        for index in old.indices { old[index].close(into: &effects) }
    }

    private mutating func change(to policy: OperatorPolicy) {
        self.policy = policy
        for index in entries.indices { entries[index].rule = policy.rule(for: entries[index].client) }
    }

    private mutating func surround(_ change: (inout AuthorizationEntry.Surroundings) -> Void) {
        change(&surroundings)
        for index in entries.indices { entries[index].surroundings = surroundings }
    }

    private mutating func restore(
        _ client: String, _ record: AuthorizationRecord?, at instant: MonotonicInstant,
        _ effects: inout [AuthorizationEffect]
    ) {
        guard let index = index(of: client) else { return effects.append(.keep(client: client, nil)) }
        entries[index].restore(record, at: instant)
    }

    private mutating func connect(_ id: ClientID, _ client: String) {
        guard index(of: id) == nil else { return }
        change(client) { $0.use.connect(id) }
    }

    private mutating func requestFullAccuracy(
        _ id: ClientID, _ request: String?, _ purposeKey: String, _ effects: inout [AuthorizationEffect]
    ) {
        guard let index = index(of: id) else {
            return effects.append(.fullAccuracyAnswered(id, id: request, errorCode: .promptDeclined))
        }
        entries[index].requestFullAccuracy(of: id, id: request, purposeKey: purposeKey)
    }

    private mutating func settleOrAsk(_ client: String, _ effects: inout [AuthorizationEffect]) {
        guard let index = index(of: client) else {
            return effects.append(.provisionalSettled(client: client, mayDeliver: false))
        }
        entries[index].eventIsDue()
    }
}

/// The members that other modules may read.
extension AuthorizationBook {
    public var servicesEnabled: Bool { surroundings.servicesEnabled }

    /// A client's rights; a client without a manifest has no authorization.
    public func rights(of client: String) -> ClientRights {
        index(of: client).map { entries[$0].rights } ?? rightsOfStrangers
    }

    /// A client's stored decisions, reduced to those that deny it something; nil if none does.
    public func denial(of client: String) -> AuthorizationRecord? {
        index(of: client).flatMap { entries[$0].record.denial }
    }

    /// The rights of every client without a manifest.
    public var rightsOfStrangers: ClientRights { ClientRights(isEnabled: servicesEnabled) }

    /// The questions that agents show the user now, at most one for each client, sorted by client name.
    public var prompts: [Prompt] { entries.compactMap { $0.prompt } }

    /// The next instant at which, without an event, a client's time in use or a pause between questions ends; nil for
    /// none.
    public var deadline: MonotonicInstant? { entries.lazy.compactMap { $0.deadline }.min() }

    /// Every client, for an operator's list, sorted by name.
    public var descriptions: [ClientDescription] { entries.map { ClientDescription($0) } }
}
