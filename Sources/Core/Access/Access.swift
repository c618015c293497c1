internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// Decides which clients are allowed to know where the board is, by manifests, operators' decisions and users' answers.
///
/// The daemon's Engine reads the result in `view`; its other parts learn of changes through `Turn`.
public struct Access: ~Copyable {
    var state = AccessState()
    /// The user as which the daemon runs; this user's programs have an operator's rights.
    let userID: UInt32?
    /// The answers to requests for full accuracy that have not been sent to the clients yet.
    var accuracyAnswers: [AccuracyAnswer] = []
    /// The stored database rows of clients whose manifests cannot be read now.
    var parked: [DurableRow] = []
    /// Stored authorizations in a form that this version does not know; each is removed when an operator decides about
    /// its client.
    var strangeRows: [DurableRow] = []
    /// For each client whose manifest is missing, the instant at which its data are to be erased; nil if they have been
    /// erased.
    var absences: [String: MonotonicInstant?] = [:]
    /// Whether agents were last told to ask the user to turn the device about, to calibrate the compass.
    var isCalibrationShown = false

    /// The answer to a client's request for full accuracy.
    struct AccuracyAnswer {
        let client: ClientID
        let id: String?
        let errorCode: FailureCode?
    }

    public init(userID: UInt32?) { self.userID = userID }

    /// Passes an event to `AuthorizationBook`, which decides about authorizations, and carries out the effects that it
    /// returns.
    mutating func decide(_ event: AuthorizationEvent, _ turn: inout Turn) {
        var effects: [AuthorizationEffect] = []
        state.book.handle(event, at: turn.instant, into: &effects)
        for effect in effects { heed(effect, &turn) }
        // Location services are switched on only after all effects have been carried out, because this is a decision
        // with effects of its own.
        if effects.contains(.enableServices) { enableServices(true, &turn) }
    }

    private mutating func heed(_ effect: AuthorizationEffect, _ turn: inout Turn) {
        switch effect {
        case .keep(let client, let record):
            keep(record, of: client, &turn)
            for row in strangeRows where row.client == client { turn.remove(row.table, client, row.name) }
            strangeRows.removeAll { $0.client == client }
        case .changed(let client):
            turn.tell(.access)
            turn.tell(.changed(client))
        case .useChanged: turn.tell(.access)
        case .fullAccuracyAnswered(let client, let id, let errorCode):
            accuracyAnswers.append(AccuracyAnswer(client: client, id: id, errorCode: errorCode))
            turn.tell(.access)
        case .provisionalSettled(let client, let mayDeliver):
            turn.tell(.eventDecided(client, mayDeliver: mayDeliver))
        case .promptRaised(let prompt):
            tellAgents(&turn) { ClientEvent.append(object(prompt), to: &$0) }
            turn.tell(.access)
        case .promptWithdrawn(let client):
            tellAgents(&turn) { ClientEvent.appendPromptWithdrawn(client: client, to: &$0) }
            turn.tell(.access)
        case .enableServices: break
        case .note(let client, let note): turn.log(.client(client, note.message))
        }
    }
}
