internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The rows of the database that `Access` keeps.
extension Access {
    /// The name of the row that holds a client's authorization.
    static let recordName = "record"
    /// The name of the row that holds the sessions that a client can resume.
    static let heldName = "held"
    /// The name of the row in the table `settings` that holds whether location services are on.
    static let servicesName = "servicesEnabled"
    /// The name of the row in the table `settings` that has the denials of the operator's policy.
    static let policyName = "policy"

    func keep(_ record: AuthorizationRecord?, of client: String, _ turn: inout Turn) {
        guard let record else { return turn.remove(.authorization, client, Access.recordName) }
        var value: [UInt8] = []
        record.encode { value.append($0) }
        turn.put(.authorization, client, Access.recordName, value)
    }

    /// Checks whether a row that the database had at the daemon's start can be restored.
    ///
    /// If the row's client has no manifest, the client is added to the known clients as absent, and the row stays
    /// stored.
    ///
    /// - Returns: False if the row has to wait because its client's manifest cannot be read.
    mutating func admits(_ row: DurableRow, _ turn: inout Turn) -> Bool {
        guard !state.admission.isUnreadable(row.client) else {
            parked.append(row)
            return false
        }
        if !row.client.isEmpty, state.admission[row.client] == nil {
            state.admission = state.admission.remembering([.absent(row.client)])
            noteAbsences(at: turn.instant)
            decide(.manifests(state.admission.manifests), &turn)
        }
        return true
    }

    /// Restores a row of a client whose manifest is known, if the row is one of those that `Access` keeps.
    mutating func restoreAdmitted(_ row: DurableRow, _ turn: inout Turn) -> Restoration {
        switch row.table {
        case .authorization: restoreDecision(row, &turn)
        case .sessions: return restoreSessions(row) ? .restored : .notMine
        case .settings where row.client.isEmpty && row.name == Access.servicesName:
            // A stored value other than 0 or 1 could mean off, so location services are then off.
            state.isSwitchUnreadable = row.value != [0] && row.value != [1]
            decide(.servicesEnabled(row.value == [1]), &turn)
        case .settings where row.client.isEmpty && row.name == Access.policyName: restorePolicy(row.value, &turn)
        default: return .notMine
        }
        return .restored
    }

    /// Takes a client's stored authorization from its database row.
    ///
    /// A row in an unknown form could deny the client, so it counts as a denial. The row stays stored until an operator
    /// decides again.
    private mutating func restoreDecision(_ row: DurableRow, _ turn: inout Turn) {
        let isKnown = row.name == Access.recordName
        if !isKnown { strangeRows.append(row) }
        let record = isKnown ? AuthorizationRecord.decode(row.value.span) : nil
        if record == nil {
            turn.log(.client(row.client, AuthorizationNote.unreadableDecision.message))
        }
        decide(.restored(client: row.client, record), &turn)
    }

    private mutating func restoreSessions(_ row: DurableRow) -> Bool {
        guard let held = HeldSessions.decode(row.value.span)?.sessions else { return false }
        guard state.holder(of: row.client) == nil else { return true }
        state.holders.append(SessionHolder(client: row.client, sessions: ServiceSessions(kept: held)))
        return true
    }

    /// Takes the stored denials of the operator's policy; if the row cannot be decoded, every client is denied.
    private mutating func restorePolicy(_ value: [UInt8], _ turn: inout Turn) {
        let nothing = OperatorPolicy.Rule(authorization: .restricted, accuracy: .reduced, isFinal: true)
        state.keptPolicy = OperatorPolicy.decode(value.span) ?? OperatorPolicy(others: nothing)
        decide(.policy(policy), &turn)
    }
}
