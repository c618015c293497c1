internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The consequences of changed manifests and of a changed policy, and the restoring of stored decisions.
extension Access {
    /// The policy that applies: that of the operator's file; if the file is missing, only the denials that it last had.
    var policy: OperatorPolicy { view.admission.policySource == .missing ? view.keptPolicy : view.admission.policy }

    /// Stores the denials of the operator's policy if they have changed, so that they apply even if the policy's file
    /// is lost.
    mutating func keepPolicy(_ turn: inout Turn) {
        guard view.isRestored, view.admission.policySource == .file, !view.admission.admitsEveryone else { return }
        let denials = view.admission.policy.deniesAnything ? view.admission.policy.denials : OperatorPolicy()
        guard denials != view.keptPolicy else { return }
        view.keptPolicy = denials
        if denials == OperatorPolicy() { return turn.remove(.settings, "", Access.policyName) }
        turn.put(.settings, "", Access.policyName, denials.encode())
    }

    func tellMissingPolicy(_ turn: inout Turn) {
        guard let trouble = view.policyTrouble else { return }
        turn.log(.client("policy.json5", trouble))
    }

    /// The name of the row in the database table `settings` that has the denials of the operator's policy.
    static let policyName = "policy"

    /// Takes the stored denials of the operator's policy; if the row cannot be decoded, every client is denied.
    mutating func restorePolicy(_ value: [UInt8], _ turn: inout Turn) {
        let nothing = OperatorPolicy.Rule(authorization: .restricted, accuracy: .reduced, isFinal: true)
        view.keptPolicy = OperatorPolicy.decode(value.span) ?? OperatorPolicy(others: nothing)
        decide(.policy(policy), &turn)
    }

    /// The time for which a manifest must be missing before the data stored about its client are erased.
    ///
    /// Unit: nanoseconds (a day), by the monotonic clock, counted from when the running daemon first missed the
    /// manifest.
    static let absenceNanoseconds: Int64 = 86_400_000_000_000

    mutating func noteAbsences(at instant: MonotonicInstant) {
        let old = absences
        absences = [:]
        for manifest in view.admission.manifests where manifest.isAbsent {
            absences[manifest.name] = old[manifest.name] ?? instant.advanced(byNanoseconds: Access.absenceNanoseconds)
        }
    }
}

// MARK: Stored rows

extension Access {
    /// Takes a client's stored authorization from its database row.
    ///
    /// A row in an unknown form could deny the client, so it counts as a denial. The row stays stored until an operator
    /// decides again.
    mutating func restoreDecision(_ row: DurableRow, _ turn: inout Turn) {
        let isKnown = row.name == Access.recordName
        if !isKnown { strangeRows.append(row) }
        let record = isKnown ? AuthorizationRecord.decode(row.value.span) : nil
        if record == nil {
            turn.log(.client(row.client, AuthorizationNote.unreadableDecision.message))
        }
        decide(.restored(client: row.client, record), &turn)
    }
}
