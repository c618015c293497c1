internal import ClientProtocol
internal import Sessions
internal import SextantJSON
internal import SextantUnits

/// Changes of the manifests, and stored rows that wait until a client's manifest can be read.
extension Access {
    /// A connection that belongs to another client since the manifests changed.
    struct Reidentified {
        let id: ClientID
        let old: String?
        let new: String?
    }

    /// Takes changed manifests and policy.
    ///
    /// A client whose manifest is missing is not served. What is stored about it waits for a day, because a file may be
    /// missing for a while, as on a disk that is not mounted yet; only an operator forgets what denies it something.
    ///
    /// - Returns: The stored rows that waited for manifests, which are to be restored now.
    mutating func admit(_ new: Admission, _ turn: inout Turn) -> [DurableRow] {
        defer { parked = [] }
        let wasMissing = admission.policySource == .missing
        admission = new.remembering(admission.manifests.manifests)
        noteAbsences(at: turn.instant)
        keepPolicy(&turn)
        if isRestored, !wasMissing { tellMissingPolicy(&turn) }
        decide(.policy(policy), &turn)
        decide(.manifests(admission.manifests), &turn)
        turn.tell(.access)
        return parked
    }

    /// The policy in force: while the operator's file is missing, the denials that the last one made.
    private var policy: OperatorPolicy { admission.policySource == .missing ? keptPolicy : admission.policy }

    /// Stores the denials of the operator's policy where they have changed, so that they outlive its file.
    private mutating func keepPolicy(_ turn: inout Turn) {
        guard isRestored, admission.policySource == .file, !admission.admitsEveryone else { return }
        let denials = admission.policy.deniesAnything ? admission.policy.denials : OperatorPolicy()
        guard denials != keptPolicy else { return }
        keptPolicy = denials
        if denials == OperatorPolicy() { return turn.remove(.settings, "", Access.policyName) }
        turn.put(.settings, "", Access.policyName, denials.encode())
    }

    private func tellMissingPolicy(_ turn: inout Turn) {
        guard let policyTrouble else { return }
        turn.actions.append(.log(.client("policy.json5", policyTrouble)))
    }

    private var policyTrouble: String? {
        guard admission.policySource == .missing, keptPolicy.deniesAnything else { return nil }
        return "the file is missing, and what it denied stays denied: write it again, or with {} in it to deny nothing"
    }

    /// The name of the row in `settings` that holds the denials of the operator's policy.
    static let policyName = "policy"

    /// Takes the stored denials of the operator's policy; a row that cannot be read may deny anything, and does.
    mutating func restorePolicy(_ value: [UInt8], _ turn: inout Turn) {
        let nothing = OperatorPolicy.Rule(authorization: .restricted, accuracy: .reduced, isFinal: true)
        keptPolicy = OperatorPolicy.decode(value.span) ?? OperatorPolicy(others: nothing)
        decide(.policy(policy), &turn)
    }

    /// All stored rows were given.
    mutating func restored(_ turn: inout Turn) {
        isRestored = true
        turn.tell(.access)
        keepPolicy(&turn)
        tellMissingPolicy(&turn)
    }

    /// How long a manifest must have been missing before what is stored about its client is erased.
    ///
    /// Unit: nanoseconds (a day), by the board's clock since it was missed or the daemon started.
    static let patience: Int64 = 86_400_000_000_000

    private mutating func noteAbsences(at instant: MonotonicInstant) {
        let old = absences
        absences = [:]
        for manifest in admission.manifests.manifests where manifest.isAbsent {
            absences[manifest.name] = old[manifest.name] ?? instant.advanced(byNanoseconds: Access.patience)
        }
    }

    /// The clients whose manifests have been missing for so long that what is stored about them is to be erased now.
    func lostClients(at instant: MonotonicInstant) -> [String] {
        guard !absences.isEmpty else { return [] }
        return absences.compactMap { name, due in due.map { $0 <= instant } == true ? name : nil }.sorted()
    }

    /// Forgets a client whose manifest is missing, after what was stored about it was erased.
    ///
    /// - Parameter isDecided: Whether an operator said so; otherwise what denies the client something stays.
    mutating func forgetAbsent(_ name: String, isDecided: Bool, _ turn: inout Turn) {
        guard admission[name]?.isAbsent == true else { return }
        let denial = isDecided ? nil : book.denial(of: name)
        admission.manifests = ClientManifests(admission.manifests.manifests.filter { $0.name != name })
        holders.removeAll { $0.client == name }
        decide(.manifests(admission.manifests), &turn)
        absences[name] = nil
        guard let denial else { return }
        admission = admission.remembering([.absent(name)])
        absences[name] = .some(nil)
        decide(.manifests(admission.manifests), &turn)
        decide(.restored(client: name, denial), &turn)
        turn.keep(denial, of: name)
    }

    /// Finds the client of every connection again, after the manifests changed.
    mutating func identifyAgain(_ turn: inout Turn) -> [Reidentified] {
        var changed: [Reidentified] = []
        for place in connections.indices {
            let manifest = admission.client(for: connections[place].identity)
            connections[place].isOperator = admission.isOperator(
                connections[place].identity, daemonUser: userID)
            let (id, old) = (connections[place].id, connections[place].client)
            guard manifest?.name != old else { continue }
            changed.append(Reidentified(id: id, old: old, new: manifest?.name))
            decide(.gone(id), &turn)
            if let old { leaveSessions(id, of: old) }
            connections[place].client = manifest?.name
            guard let manifest else { continue }
            decide(.connected(id, client: manifest.name), &turn)
            if !connections[place].isForeground { decide(.beganInBackground(id), &turn) }
            joinSessions(id, as: manifest.name, at: turn.instant)
        }
        for place in gpsd.indices {
            let old = gpsd[place].client
            gpsd[place].clients = admission.portClients(of: gpsd[place].identities).map { $0?.name }
            guard gpsd[place].client != old else { continue }
            decide(.gone(gpsd[place].id), &turn)
            guard let new = gpsd[place].client else { continue }
            decide(.connected(gpsd[place].id, client: new), &turn)
        }
        return changed
    }

    /// Whether a connection may do what an operator may.
    func isOperator(_ id: ClientID) -> Bool { place(of: id).map { connections[$0].isOperator } ?? false }
}

// MARK: Stored rows

extension Access {
    /// Checks whether a row that the store held when the daemon started belongs to a client that is served.
    ///
    /// A client without a manifest becomes an absent one, which its row waits for.
    ///
    /// - Returns: False where the row waits for an unreadable manifest to be mended.
    mutating func admits(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        guard !admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        if !row.client.isEmpty, admission[row.client] == nil {
            admission = admission.remembering([.absent(row.client)])
            noteAbsences(at: turn.instant)
            decide(.manifests(admission.manifests), &turn)
        }
        return true
    }

    /// Takes a client's stored authorization.
    ///
    /// A row of another form may deny the client: it does, and stays stored until an operator decides anew.
    mutating func restore(_ row: DurableRow, _ turn: inout Turn) {
        let isKnown = row.name == Turn.authorizationName
        if !isKnown { strangeRows.append(row) }
        let record = isKnown ? AuthorizationRecord.decode(row.value.span) : nil
        if record == nil {
            turn.actions.append(.log(.client(row.client, AuthorizationNote.unreadableDecision.message)))
        }
        decide(.restored(client: row.client, record), &turn)
    }

    /// Takes the stored master switch; a value of another form may mean off, and does.
    mutating func restoreSwitch(_ value: [UInt8], _ turn: inout Turn) {
        isSwitchUnreadable = value != [0] && value != [1]
        decide(.servicesEnabled(value == [1]), &turn)
    }

    /// A sentence for an operator: which decisions cannot be read or whose file is missing, and how to mend that; nil where
    /// there are none.
    var trouble: String? {
        let services =
            isSwitchUnreadable
            ? "whether location services are on cannot be read (another version of sextantd wrote it), so they are "
                + "off: decide anew with sextant services on or off" : nil
        let troubles = [services, policyTrouble.map { "policy.json5: \($0)" }].compactMap { $0 }
        return troubles.isEmpty ? nil : troubles.joined(separator: ". ")
    }
}
