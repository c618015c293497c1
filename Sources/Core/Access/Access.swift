internal import ClientProtocol
internal import Parts
internal import SextantUnits

/// Decides which clients may know where the board is, by manifests, operators' decisions and users' answers.
///
/// The Engine reads the result in `view`, and the turn tells other parts of changes.
public struct Access: ~Copyable {
    /// All that others may read of this part, but for its deadline.
    public internal(set) var view = AccessView()
    /// The user that the daemon runs as; clients of this user may do what an operator may.
    let userID: UInt32?
    /// Requests for full accuracy that were decided, until their clients are answered.
    var accuracyAnswers: [AccuracyAnswer] = []
    /// Stored rows of clients whose manifests cannot be read now.
    var parked: [DurableRow] = []
    /// Stored rows about authorizations that this version does not know; they go when an operator decides anew.
    var strangeRows: [DurableRow] = []
    /// When the data of clients whose manifests are missing are to be erased; nil where they were.
    var absences: [String: MonotonicInstant?] = [:]
    /// Whether agents were last told that a session asks its user to turn the device about.
    var isCalibrationShown = false

    /// One connection of the local socket.
    struct Connection {
        let id: ClientID
        /// The user, groups and unit of the client's process; nil where they are not known.
        let identity: PeerIdentity?
        /// The client's name; nil where no manifest applies to the process.
        var client: String?
        /// Whether the client says that it is in the foreground.
        var isForeground = true
        /// The authorization that the client was last told.
        var told: AccessObject
        /// The manifest and purpose texts that the last greeting went by; nil before the first greeting.
        var greeted: Greeting?
        var isOperator = false
        /// Whether the connection is an agent, which is sent the questions to the user.
        var isAgent = false
        /// The purpose that the program stated with its last request; nil where it stated none.
        var statedPurpose: String?
        /// Whether the connection has made a request yet.
        var hasAsked = false
    }

    /// One connection of the gpsd port.
    struct PortConnection {
        let id: ClientID
        /// The processes of this board that may have made the connection; empty where none is known.
        let identities: [PeerIdentity]
        /// The clients that it may belong to, each once; nil for a process to which no manifest applies.
        ///
        /// Where there are several, the connection sees what the least of them may.
        var clients: [String?]

        /// The only client that the connection can belong to; nil where several are possible, or none.
        var client: String? { clients.count == 1 ? clients[0] : nil }
    }

    /// The client whose manifest a greeting went by, and the purpose texts in that manifest.
    struct Greeting: Equatable {
        let client: String?
        let purposes: PurposeStrings?
    }

    /// The result of a request for full accuracy.
    struct AccuracyAnswer {
        let client: ClientID
        let id: String?
        let errorCode: Int?
    }

    public init(userID: UInt32?) { self.userID = userID }

    /// Passes an event to the book of authorizations, and carries out its effects.
    mutating func decide(_ event: AuthorizationEvent, _ turn: inout Turn) {
        var effects: [AuthorizationEffect] = []
        view.book.handle(event, at: turn.instant, into: &effects)
        for effect in effects { heed(effect, &turn) }
        // After all effects, because this decides anew.
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
        case .note(let client, let note): turn.actions.append(.log(.client(client, note.message)))
        }
    }

    /// The name of the row that holds a client's authorization.
    static let recordName = "record"

    func keep(_ record: AuthorizationRecord?, of client: String, _ turn: inout Turn) {
        guard let record else { return turn.remove(.authorization, client, Access.recordName) }
        var value: [UInt8] = []
        record.encode { value.append($0) }
        turn.put(.authorization, client, Access.recordName, value)
    }

    // MARK: Settling

}

// MARK: Connections

extension Access {
    func noManifest(_ name: String, _ turn: inout Turn) {
        let why =
            view.admission.isComplete
            ? "it has no manifest, so it gets no locations; write one"
            : "no client is served, because the manifests or the policy cannot be read"
        turn.actions.append(.log(.client(name, why)))
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
