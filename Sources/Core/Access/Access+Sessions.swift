internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The sessions that clients hold (`CLServiceSession`, `CLBackgroundActivitySession`).
extension Access {
    /// A number that is added to a service session's number, so that the session's questions to the user have other
    /// numbers than those of location sessions.
    static let firstQuestion: Int64 = 1000

    mutating func hold(
        _ goal: SessionGoal, number: UInt32, by id: ClientID, of client: String,
        _ turn: inout Turn
    ) {
        guard let holder = state.holder(of: client) else { return }
        guard state.holders[holder].sessions.hold(number, goal, by: id, at: turn.instant) else {
            return turn.send(id) {
                ClientEvent.appendError(
                    .tooMany, "at most \(ServiceSessions.maximumSessions) sessions can be held", id: nil, to: &$0)
            }
        }
        turn.tell(.access)
    }

    mutating func release(_ number: UInt32, by id: ClientID, of client: String, _ turn: inout Turn) {
        guard let holder = state.holder(of: client) else { return }
        state.holders[holder].sessions.release(number, by: id)
        decide(.withdrawn(id, session: Access.firstQuestion + Int64(number)), &turn)
        turn.tell(.access)
    }

    /// Adds a new connection to the record of its client's sessions.
    mutating func joinSessions(_ id: ClientID, as client: String, at instant: MonotonicInstant) {
        if state.holder(of: client) == nil {
            state.holders.append(SessionHolder(client: client, sessions: ServiceSessions()))
        }
        guard let holder = state.holder(of: client) else { return }
        state.holders[holder].sessions.connect(id, at: instant)
    }

    mutating func leaveSessions(_ id: ClientID, of client: String) {
        guard let holder = state.holder(of: client) else { return }
        state.holders[holder].sessions.disconnect(id)
        if state.holders[holder].sessions.isOver { state.holders.remove(at: holder) }
    }

    /// Asks the user for the authorizations that sessions need, and reports the state of each session to its client.
    mutating func settleSessions(_ turn: inout Turn) {
        for index in state.holders.indices {
            let client = state.holders[index].client
            state.holders[index].sessions.advance(to: turn.instant)
            for question in state.holders[index].sessions.requests(under: state.conditions(of: client)) {
                ask(question, &turn)
            }
            let conditions = state.conditions(of: client)
            for effect in state.holders[index].sessions.settle(under: conditions) {
                carryOut(effect, of: client, &turn)
            }
            let isActive = state.holders[index].sessions.isBackgroundActive(under: conditions)
            if isActive != state.holders[index].isBackgroundActive {
                state.holders[index].isBackgroundActive = isActive
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

    var sessionsDeadline: MonotonicInstant? { state.holders.lazy.compactMap { $0.sessions.deadline }.min() }
}
