internal import ClientVocabulary
internal import Parts
internal import SextantUnits

/// The consequences of changed manifests and of a changed policy.
extension Access {
    mutating func change(to new: Admission, _ turn: inout Turn) {
        let wasMissing = state.admission.policySource == .missing
        state.admission = new.remembering(state.admission.manifests)
        noteAbsences(at: turn.instant)
        keepPolicy(&turn)
        if state.isRestored, !wasMissing { tellMissingPolicy(&turn) }
        decide(.policy(policy), &turn)
        decide(.manifests(state.admission.manifests), &turn)
        turn.tell(.access)
    }

    /// The policy that applies: that of the operator's file; if the file is missing, only the denials that it last had.
    var policy: OperatorPolicy { state.admission.policySource == .missing ? state.keptPolicy : state.admission.policy }

    /// Stores the denials of the operator's policy if they have changed, so that they apply even if the policy's file
    /// is lost.
    mutating func keepPolicy(_ turn: inout Turn) {
        guard state.isRestored, state.admission.policySource == .file, !state.admission.admitsEveryone else { return }
        let denials = state.admission.policy.deniesAnything ? state.admission.policy.denials : OperatorPolicy()
        guard denials != state.keptPolicy else { return }
        state.keptPolicy = denials
        if denials == OperatorPolicy() { return turn.remove(.settings, "", Access.policyName) }
        turn.put(.settings, "", Access.policyName, denials.encode())
    }

    func tellMissingPolicy(_ turn: inout Turn) {
        guard let trouble = state.policyTrouble else { return }
        turn.log(.client("policy.json5", trouble))
    }
}

/// Clients whose manifests are missing.
extension Access {
    /// The time for which a manifest must be missing before the data stored about its client are erased.
    ///
    /// Unit: nanoseconds (a day), by the monotonic clock, counted from when the running daemon first missed the
    /// manifest.
    static let absenceNanoseconds: Int64 = 86_400_000_000_000

    mutating func noteAbsences(at instant: MonotonicInstant) {
        let old = absences
        absences = [:]
        for manifest in state.admission.manifests where manifest.isAbsent {
            absences[manifest.name] = old[manifest.name] ?? instant.advanced(byNanoseconds: Access.absenceNanoseconds)
        }
    }

    /// The clients whose manifests have been missing for `absenceNanoseconds`, sorted.
    func overdueAbsences(at instant: MonotonicInstant) -> [String] {
        guard !absences.isEmpty else { return [] }
        return absences.compactMap { name, due in due.map { $0 <= instant } == true ? name : nil }.sorted()
    }

    mutating func forgetAbsent(_ name: String, isDecided: Bool, _ turn: inout Turn) {
        guard state.admission[name]?.isAbsent == true else { return }
        let denial = isDecided ? nil : state.book.denial(of: name)
        state.admission.manifests = ClientManifests(state.admission.manifests.filter { $0.name != name })
        state.holders.removeAll { $0.client == name }
        decide(.manifests(state.admission.manifests), &turn)
        absences[name] = nil
        guard let denial else { return }
        state.admission = state.admission.remembering([.absent(name)])
        absences[name] = .some(nil)
        decide(.manifests(state.admission.manifests), &turn)
        decide(.restored(client: name, denial), &turn)
        keep(denial, of: name, &turn)
    }
}
