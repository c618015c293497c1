internal import ClientProtocol
internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// Decides which clients are allowed to know where the board is, by manifests, operators' decisions and users' answers.
///
/// The daemon's Engine reads the result in `view`; its other parts learn of changes through `Turn`.
public struct Access: ~Copyable {
    /// The values that the Engine's other parts read from this one, except the deadline.
    public internal(set) var view = AccessView()
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

    /// One connection of the local socket.
    struct Connection {
        let id: ClientID
        /// The user, groups and systemd unit of the client's process; nil if they are not known.
        let identity: PeerIdentity?
        /// The client's name; nil if no manifest applies to the process.
        var client: String?
        /// Whether the client says that it is in the foreground.
        var isForeground = true
        /// Whether a session in the background makes the connection count as in use, as `AuthorizationBook` was last
        /// told.
        var usesBackground = false
        /// The authorization that was last sent to the client.
        var lastSent: AccessObject
        /// The client's name and purpose texts in the last `hello` line of this connection; nil if none was sent.
        var greeted: Greeting?
        var isOperator = false
        /// Whether the connection is an agent, which shows the user the questions about authorization.
        var isAgent = false
        /// The purpose that the program stated in its last request for authorization; nil if it stated none.
        var statedPurpose: String?
        /// Whether the connection has made any request.
        var hasAsked = false
    }

    /// One connection of the gpsd port.
    struct PortConnection {
        let id: ClientID
        /// The processes of this board that can have made the connection; empty if none is known.
        let identities: [PeerIdentity]
        /// The clients to which the connection can belong, each once; an element is nil for a process without a
        /// manifest.
        ///
        /// If there are several, the connection has the rights of the client with the fewest rights.
        var clients: [String?]

        /// The only client to which the connection can belong; nil if several are possible, or none.
        var client: String? { clients.count == 1 ? clients[0] : nil }
    }

    /// What a connection's `hello` line said: the client's name, and the purpose texts of the client's manifest.
    struct Greeting: Equatable {
        let client: String?
        let purposes: PurposeStrings?
    }

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
        view.book.handle(event, at: turn.instant, into: &effects)
        for effect in effects { heed(effect, &turn) }
        // Switching location services on is the last effect to be carried out, because it begins another decision.
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

    /// The name of the database row that holds a client's authorization.
    static let recordName = "record"
    /// The name of the database row that holds whether location services are on.
    static let servicesName = "servicesEnabled"

    func keep(_ record: AuthorizationRecord?, of client: String, _ turn: inout Turn) {
        guard let record else { return turn.remove(.authorization, client, Access.recordName) }
        var value: [UInt8] = []
        record.encode { value.append($0) }
        turn.put(.authorization, client, Access.recordName, value)
    }
}

// MARK: Connections

extension Access {
    func noManifest(_ name: String, _ turn: inout Turn) {
        let why =
            view.admission.isComplete
            ? "it has no manifest, so it gets no locations; write one"
            : "no client is served, because the manifests or the policy cannot be read"
        turn.log(.client(name, why))
    }
}

extension HelloObject {
    mutating func describe(_ manifest: ClientManifest) {
        maximumRegions = manifest.maximumRegions
        hasBackgroundMode = manifest.backgroundMode
        hasWhenInUsePurpose = manifest.purposes.whenInUse != nil
        hasAlwaysPurpose = manifest.purposes.always != nil
        temporaryPurposes = manifest.purposes.temporaryKeys
        requiresServiceSession = manifest.requiresServiceSession
    }
}
