internal import ClientProtocol
internal import JSONText
internal import Sessions
internal import Units

/// The sessions that clients hold (`CLServiceSession`, `CLBackgroundActivitySession`), and what live watches need.
extension Engine {
    /// One client's sessions.
    struct Holder {
        let client: String
        var sessions: ServiceSessions
        /// Whether it holds an active background activity session, as far as anybody was told.
        var isBackgroundActive = false
    }

    /// Apart from the numbers of the client's other sessions, where questions to the user are told apart.
    private static let firstQuestion = 1000

    mutating func hold(
        _ goal: SessionGoal, number: UInt32, clientAt client: Int, at instant: MonotonicInstant,
        into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        guard let holder = holder(of: clients.local[client].session.client) else { return }
        guard holders[holder].sessions.hold(Int(number), goal, by: id, at: instant) else {
            return outputs.send(id) {
                ClientEvent.appendError(
                    "tooMany", "at most \(ServiceSessions.maximumSessions) sessions can be held", id: nil, to: &$0)
            }
        }
        accessChanged(at: instant, into: &outputs)
    }

    mutating func release(
        number: UInt32, clientAt client: Int, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let id = clients.local[client].id
        guard let holder = holder(of: clients.local[client].session.client) else { return }
        holders[holder].sessions.release(Int(number), by: id)
        let question = Engine.firstQuestion + Int(clamping: number)
        decide(.withdrawn(id, session: question), at: instant, into: &outputs)
        accessChanged(at: instant, into: &outputs)
    }

    func holder(of client: String?) -> Int? { client.flatMap { name in holders.firstIndex { $0.client == name } } }

    /// A connection of a client begins.
    mutating func joinSessions(_ id: ClientID, as client: String, at instant: MonotonicInstant) {
        if holder(of: client) == nil { holders.append(Holder(client: client, sessions: ServiceSessions())) }
        guard let holder = holder(of: client) else { return }
        holders[holder].sessions.connect(id, at: instant)
    }

    mutating func leaveSessions(_ id: ClientID, of client: String) {
        guard let holder = holder(of: client) else { return }
        holders[holder].sessions.disconnect(id)
        if holders[holder].sessions.isOver { holders.remove(at: holder) }
    }

    /// Asks the user for what sessions need, and tells their clients how they stand.
    mutating func settleSessions(at instant: MonotonicInstant, into outputs: inout Outputs) {
        for place in holders.indices {
            holders[place].sessions.advance(to: instant)
            for question in holders[place].sessions.requests(under: conditions(of: holders[place].client)) {
                ask(question, at: instant, into: &outputs)
            }
            let client = holders[place].client
            let conditions = conditions(of: client)
            for effect in holders[place].sessions.settle(under: conditions) {
                follow(effect, of: client, into: &outputs)
            }
            let isActive = holders[place].sessions.isBackgroundActive(under: conditions)
            if isActive != holders[place].isBackgroundActive {
                holders[place].isBackgroundActive = isActive
                if isActive { wakes.cameIntoUse(client) }
                isAccessStale = true
            }
        }
    }

    private mutating func ask(
        _ question: SessionQuestion, at instant: MonotonicInstant, into outputs: inout Outputs
    ) {
        let session = Engine.firstQuestion + question.number
        switch question.request {
        case .whenInUse:
            decide(.requested(question.connection, session: session, .whenInUse), at: instant, into: &outputs)
        case .always:
            decide(.requested(question.connection, session: session, .always), at: instant, into: &outputs)
        case .fullAccuracy(let key):
            // Nobody waits for this answer: how the session stands is told by itself.
            decide(
                .requestedFullAccuracy(question.connection, id: nil, purposeKey: key), at: instant, into: &outputs)
        }
    }

    private func follow(_ effect: SessionEffect, of client: String, into outputs: inout Outputs) {
        switch effect {
        case .report(let report, let number, let connection):
            outputs.send(connection) { text in
                ClientEvent.appendSessionDiagnostics(
                    number: UInt32(clamping: number), isActive: report.isActive, report.diagnostics.words, to: &text)
            }
        case .keep(let held):
            if held.isEmpty {
                outputs.remove(.sessions, client, "held")
            } else {
                outputs.put(.sessions, client, "held", SessionGoal.encode(held))
            }
        }
    }

    mutating func restoreSession(_ row: DurableRow) -> Bool {
        guard let held = SessionGoal.decode(row.value.span) else { return false }
        guard holder(of: row.client) == nil else { return true }
        holders.append(Holder(client: row.client, sessions: ServiceSessions(kept: held)))
        return true
    }

    var sessionsDeadline: MonotonicInstant? { holders.lazy.compactMap { $0.sessions.deadline }.min() }

    private func conditions(of client: String) -> ClientConditions {
        let standing = authorization.standing(of: client)
        return ClientConditions(
            status: standing.status, accuracy: standing.accuracy, isInUse: standing.isInUse,
            isForeground: clients.local.contains { $0.session.client == client && $0.session.isForeground },
            requestInProgress: standing.waiting != nil, isDeniedGlobally: !authorization.servicesEnabled,
            backgroundMode: admission[client]?.backgroundMode ?? false,
            requiresServiceSession: admission[client]?.requiresServiceSession ?? false)
    }

    func holdsBackgroundActivity(clientAt client: Int) -> Bool {
        holder(of: clients.local[client].session.client).map { holders[$0].isBackgroundActive } ?? false
    }
}

// MARK: Live watches

extension Engine {
    /// Whether a live watch of a client may flow, and why not.
    func liveGate(of client: String) -> LiveGate {
        let sessions = holder(of: client).map { holders[$0].sessions } ?? ServiceSessions()
        return LiveGate(of: sessions, under: conditions(of: client))
    }

    /// Tells live watches why they are silent, with every change.
    mutating func settleLive(clientAt client: Int, into outputs: inout Outputs) {
        guard let name = clients.local[client].session.client,
            clients.local[client].session.locations.contains(where: { $0.options.isLive })
        else { return }
        let diagnostics = liveGate(of: name).diagnostics
        for session in clients.local[client].session.locations.indices {
            let place = SessionPlace(client: client, session: session)
            guard clients[place].options.isLive, clients[place].toldDiagnostics != diagnostics else { continue }
            // Nothing is said where nothing was missing from the start.
            let isNews = clients[place].toldDiagnostics != nil || !diagnostics.isEmpty
            clients[place].toldDiagnostics = diagnostics
            guard isNews else { continue }
            let number = clients[place].number
            outputs.send(clients.id(of: place)) {
                ClientEvent.appendLiveDiagnostics(diagnostics.words, session: number, to: &$0)
            }
        }
    }
}

extension SessionDiagnostics {
    /// The words of the wire.
    fileprivate var words: [StaticString] {
        SessionDiagnostics.names.filter { contains($0.flag) }.map { $0.name }
    }
}
