internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The state of clients (foreground or background), their requests for authorization, and the sessions that they hold
/// (`CLServiceSession`, `CLBackgroundActivitySession`).
extension Access {
    /// One client's sessions.
    struct Holder {
        let client: String
        var sessions: ServiceSessions
        /// Whether the client held an active background activity session when this was last reported to the daemon's
        /// other parts.
        var isBackgroundActive = false
    }

    /// The name of the database row that holds the sessions that a client can resume.
    static let heldName = "held"

    /// A number that is added to a service session's number, so that the session's questions to the user have other
    /// numbers than those of location sessions.
    static let firstQuestion: Int64 = 1000

    mutating func set(_ isForeground: Bool, at index: Int, _ turn: inout Turn) {
        guard view.connections[index].isForeground != isForeground else { return }
        view.connections[index].isForeground = isForeground
        let id = view.connections[index].id
        let wasNeverInUse = !view.connections[index].hasAsked && !isForeground
        decide(wasNeverInUse ? .beganInBackground(id) : .state(id, isForeground: isForeground), &turn)
        if isForeground, let name = view.connections[index].client { turn.tell(.cameIntoUse(name)) }
        turn.tell(.access)
    }

    mutating func hold(
        _ goal: SessionGoal, number: UInt32, by id: ClientID, of client: String,
        _ turn: inout Turn
    ) {
        guard let holder = view.holder(of: client) else { return }
        guard view.holders[holder].sessions.hold(number, goal, by: id, at: turn.instant) else {
            return turn.send(id) {
                ClientEvent.appendError(
                    .tooMany, "at most \(ServiceSessions.maximumSessions) sessions can be held", id: nil, to: &$0)
            }
        }
        turn.tell(.access)
    }

    mutating func release(_ number: UInt32, by id: ClientID, of client: String, _ turn: inout Turn) {
        guard let holder = view.holder(of: client) else { return }
        view.holders[holder].sessions.release(number, by: id)
        decide(.withdrawn(id, session: Access.firstQuestion + Int64(number)), &turn)
        turn.tell(.access)
    }

    /// Adds a new connection to the record of its client's sessions.
    mutating func joinSessions(_ id: ClientID, as client: String, at instant: MonotonicInstant) {
        if view.holder(of: client) == nil { view.holders.append(Holder(client: client, sessions: ServiceSessions())) }
        guard let holder = view.holder(of: client) else { return }
        view.holders[holder].sessions.connect(id, at: instant)
    }

    mutating func leaveSessions(_ id: ClientID, of client: String) {
        guard let holder = view.holder(of: client) else { return }
        view.holders[holder].sessions.disconnect(id)
        if view.holders[holder].sessions.isOver { view.holders.remove(at: holder) }
    }

    /// Asks the user for the authorizations that sessions need, and reports the state of each session to its client.
    mutating func settleSessions(_ turn: inout Turn) {
        for index in view.holders.indices {
            view.holders[index].sessions.advance(to: turn.instant)
            for question in view.holders[index].sessions.requests(
                under: view.conditions(of: view.holders[index].client))
            {
                ask(question, &turn)
            }
            let client = view.holders[index].client
            let conditions = view.conditions(of: client)
            for effect in view.holders[index].sessions.settle(under: conditions) {
                carryOut(effect, of: client, &turn)
            }
            let isActive = view.holders[index].sessions.isBackgroundActive(under: conditions)
            if isActive != view.holders[index].isBackgroundActive {
                view.holders[index].isBackgroundActive = isActive
                if isActive { turn.tell(.cameIntoUse(client)) }
                turn.tell(.access)
            }
        }
    }

    private mutating func ask(_ question: SessionQuestion, _ turn: inout Turn) {
        let session = Access.firstQuestion + Int64(question.number)
        switch question.request {
        case .whenInUse:
            decide(.requested(question.connection, session: session, .whenInUse), &turn)
        case .always:
            decide(.requested(question.connection, session: session, .always), &turn)
        case .fullAccuracy(let key):
            // The request has no id, because it needs no answer: the client learns the result from its session's state.
            decide(.requestedFullAccuracy(question.connection, id: nil, purposeKey: key), &turn)
        }
    }

    private func carryOut(_ effect: SessionEffect, of client: String, _ turn: inout Turn) {
        switch effect {
        case .report(let report, let number, let connection):
            turn.send(connection) { text in
                ClientEvent.appendSessionDiagnostics(
                    number: number, isActive: report.isActive, report.diagnostics.words,
                    to: &text)
            }
        case .keep(let held):
            if held.isEmpty {
                turn.remove(.sessions, client, Access.heldName)
            } else {
                turn.put(.sessions, client, Access.heldName, HeldSessions(held).encode())
            }
        }
    }

    mutating func restoreSessions(_ row: DurableRow) -> Bool {
        guard let held = HeldSessions.decode(row.value.span)?.sessions else { return false }
        guard view.holder(of: row.client) == nil else { return true }
        view.holders.append(Holder(client: row.client, sessions: ServiceSessions(kept: held)))
        return true
    }

    var sessionsDeadline: MonotonicInstant? { view.holders.lazy.compactMap { $0.sessions.deadline }.min() }

}
