internal import ClientProtocol
internal import Parts
internal import SextantUnits

/// Decides which clients are allowed to know where the board is, by manifests, operators' decisions and users' answers.
///
/// The Engine reads the result in `view`; other parts learn of changes through `Turn`.
public struct Access: ~Copyable {
    /// The values that other parts of the Engine read from this one; the deadline is separate.
    public internal(set) var view = AccessView()
    /// The user that the daemon runs as; clients of this user have an operator's rights.
    let userID: UInt32?
    /// The answers to requests for full accuracy that are still to be sent to the clients.
    var accuracyAnswers: [AccuracyAnswer] = []
    /// Stored rows of clients whose manifests cannot be read now.
    var parked: [DurableRow] = []
    /// Stored authorizations in a form that this version does not know; removed when an operator decides about the
    /// client.
    var strangeRows: [DurableRow] = []
    /// For each client whose manifest is missing, when its data is to be erased; nil where that was done.
    var absences: [String: MonotonicInstant?] = [:]
    /// Whether agents were last told to show that the device must be turned about, to calibrate the compass.
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
        /// Whether the connection has a background session that counts as use, as last told to the book.
        var usesBackground = false
        /// The authorization that was last sent to the client.
        var told: AccessObject
        /// The client's name and purpose texts at the last greeting; nil before the first greeting.
        var greeted: Greeting?
        var isOperator = false
        /// Whether the connection is an agent, which shows the questions to the user.
        var isAgent = false
        /// The purpose that the program stated with its last request; nil where it stated none.
        var statedPurpose: String?
        /// Whether the connection has made a request yet.
        var hasAsked = false
    }

    /// One connection of the gpsd port.
    struct PortConnection {
        let id: ClientID
        /// The processes of this board that can have made the connection; empty where none is known.
        let identities: [PeerIdentity]
        /// The clients that the connection can belong to, each once; nil for a process to which no manifest applies.
        ///
        /// Where there are several, the connection has the rights of the one with the least.
        var clients: [String?]

        /// The only client that the connection can belong to; nil where several are possible, or none.
        var client: String? { clients.count == 1 ? clients[0] : nil }
    }

    /// The client that a greeting named, and the purpose texts in the client's manifest.
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
        // This comes after all other effects, because it makes a decision of its own.
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

    /// The name of the row that holds a client's authorization.
    static let recordName = "record"
    /// The name of the row that holds whether location services are on.
    static let servicesName = "servicesEnabled"

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
