internal import Parts
internal import SextantUnits

/// The authorization state of one client with a manifest.
struct AuthorizationEntry: Sendable, Equatable {
    struct Connection: Sendable, Equatable {
        var id: ClientID
        var isForeground = true
        var usesBackground = false
    }

    /// The circumstances that are the same for all clients.
    struct Surroundings: Sendable, Equatable {
        var servicesEnabled = true
        /// Whether decisions were lost; the client then needs a new decision even where the policy allows it.
        var isInDoubt = false
        var agents = 0
    }

    var manifest: ClientManifest
    var rule: OperatorPolicy.Rule
    var surroundings: Surroundings
    var record = AuthorizationRecord()
    /// Whether the stored record cannot be read, so that it stays stored until an operator decides anew.
    var isUnreadable = false
    private(set) var connections: [Connection] = []
    /// The end of the grace after the last use; nil during a use, and after the grace.
    var lingersUntil: MonotonicInstant?
    var hasTemporaryFullAccuracy = false
    /// The questions that wait, each kind once; the first is the one that is shown.
    var questions: [AuthorizationQuestion] = []
    /// Whether the user has said, since services were switched off, that they stay off.
    var isLeftOff = false
    /// Whether a pause must follow: the question shown was withdrawn, or was one for full accuracy and was answered.
    var mustPause = false
    /// The instant before which no question is shown; nil where the next one is shown at once.
    var pausedUntil: MonotonicInstant?
    var notes: [AuthorizationNote] = []
    /// The state that was last told in effects.
    var told: Told
    /// Effects that the next settling is to append.
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
    /// The client's status, regardless of the master switch.
    var ownStatus: AuthorizationStatus {
        if manifest.isAbsent { return .restricted }
        if let status = rule.finalStatus { return status }
        guard record.status == .notDetermined else { return record.status }
        let status = rule.authorization?.status ?? .notDetermined
        // A decision that cannot be read is no permission.
        return surroundings.isInDoubt && status.isAuthorized ? .notDetermined : status
    }

    /// The accuracy that applies now, a temporary grant included.
    var accuracy: AccuracyAuthorization {
        if let accuracy = rule.finalAccuracy { return accuracy }
        if hasTemporaryFullAccuracy { return .full }
        if let accuracy = record.accuracy { return accuracy }
        if surroundings.isInDoubt { return .reduced }
        return rule.accuracy ?? (manifest.defaultAccuracyReduced ? .reduced : .full)
    }

    /// Whether Always was granted provisionally.
    var isProvisional: Bool { rule.finalStatus == nil && record.isProvisional }

    var rights: ClientRights {
        ClientRights(
            status: surroundings.servicesEnabled ? ownStatus : .denied, accuracy: accuracy, isInUse: isInUse,
            mayBeWoken: record.mayBeWoken, waiting: put?.kind.promptKind)
    }

    /// The question that waits first; while services are off only the one whether to switch them on.
    var put: AuthorizationQuestion? { questions.first { surroundings.servicesEnabled || $0.kind == .services } }

    /// The question that is shown, in the form that an agent is told; nil also during the pause after another one.
    var prompt: Prompt? {
        guard pausedUntil == nil, let put, let purpose = purpose(of: put.kind) else { return nil }
        return Prompt(
            client: client, kind: put.kind.promptKind, purpose: purpose, answers: put.answers,
            isReduced: accuracy == .reduced && put.kind.promptKind != .fullAccuracy)
    }

    /// The problem that the operator can mend; nil where there is none.
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
    var promptKind: Prompt.Kind {
        switch self {
        case .whenInUse: .whenInUse
        case .always, .provisional: .always
        case .fullAccuracy: .fullAccuracy
        case .services: .services
        }
    }
}

/// The client's connections, and whether it is in use.
extension AuthorizationEntry {
    var isForeground: Bool { connections.contains { $0.isForeground } }
    private var isUsed: Bool { connections.contains { $0.isForeground || $0.usesBackground } }
    var isInUse: Bool { isUsed || lingersUntil != nil }

    func has(_ id: ClientID) -> Bool { connections.contains { $0.id == id } }

    mutating func connect(_ id: ClientID) {
        connections.append(Connection(id: id))
        lingersUntil = nil
    }

    /// Marks a connection as in the background from its start, so that its end gives the client no grace of use.
    mutating func beginInBackground(_ id: ClientID) {
        for place in connections.indices where connections[place].id == id { connections[place].isForeground = false }
    }

    mutating func disconnect(_ id: ClientID, at instant: MonotonicInstant) {
        let wasUsed = isUsed
        connections.removeAll { $0.id == id }
        useMayHaveEnded(wasUsed, at: instant)
        withdraw(id, session: nil)
    }

    mutating func change(_ id: ClientID, at instant: MonotonicInstant, _ change: (inout Connection) -> Void) {
        let wasUsed = isUsed
        for place in connections.indices where connections[place].id == id { change(&connections[place]) }
        useMayHaveEnded(wasUsed, at: instant)
    }

    private mutating func useMayHaveEnded(_ wasUsed: Bool, at instant: MonotonicInstant) {
        if isUsed { lingersUntil = nil } else if wasUsed { linger(from: instant) }
    }

    /// The next instant at which time alone changes the entry; nil for none.
    var deadline: MonotonicInstant? { .earlier(lingersUntil, questions.isEmpty ? nil : pausedUntil) }

    /// Ends the grace of use and the pause between questions where they are over.
    ///
    /// - Returns: Whether one of them ended.
    mutating func pass(to instant: MonotonicInstant) -> Bool {
        let (lingered, paused) = (lingersUntil, pausedUntil)
        if let end = lingersUntil, end <= instant { lingersUntil = nil }
        if let end = pausedUntil, end <= instant { pausedUntil = nil }
        return lingersUntil != lingered || pausedUntil != paused
    }

    /// Starts the grace after a use that has ended.
    mutating func linger(from instant: MonotonicInstant) {
        lingersUntil = instant.advanced(byNanoseconds: AuthorizationBook.graceOfUse)
    }
}
