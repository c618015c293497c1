internal import ClientVocabulary
internal import SextantUnits

/// The effects of decisions that an operator makes or an agent sends.
extension AuthorizationEntry {
    /// Answers the first waiting question if the answer fits that question; otherwise changes the client's
    /// authorization directly.
    ///
    /// This is `decide` in the Promela model authorization.pml.
    mutating func answer(_ answer: OperatorAnswer) {
        isUnreadable = false
        guard let question = put, question.takes(answer) else { return set(answer) }
        queue.questions.removeAll { $0.kind == question.kind }
        switch question.kind {
        case .whenInUse: answerUse(answer, wantsAlways: question.askers.contains { $0.wantsAlways })
        case .always: answerAlways(answer)
        case .provisional: answerProvisional(answer)
        case .fullAccuracy: answerFullAccuracy(answer, question)
        case .services: answerServices(answer)
        }
    }

    private mutating func answerUse(_ answer: OperatorAnswer, wantsAlways: Bool) {
        record.isWhenInUseAnswered = true
        if answer == .allow, wantsAlways {
            record.decide(.authorizedAlways, isProvisional: true)
        } else {
            set(answer)
        }
    }

    private mutating func answerAlways(_ answer: OperatorAnswer) {
        record.isAlwaysAnswered = true
        if answer == .always { record.decide(.authorizedAlways) }
    }

    private mutating func answerProvisional(_ answer: OperatorAnswer) {
        record.isAlwaysAnswered = true
        record.decide(answer == .always ? .authorizedAlways : .authorizedWhenInUse)
        settleEvent()
    }

    private mutating func answerFullAccuracy(_ answer: OperatorAnswer, _ question: AuthorizationQuestion) {
        hasTemporaryFullAccuracy = answer == .allow || answer == .once
        queue.mustPause = true
        for asker in question.askers { tell(asker, isShown: true) }
    }

    private mutating func answerServices(_ answer: OperatorAnswer) {
        isLeftOff = answer == .off
        if answer == .on { outcomes.append(.enableServices) }
    }

    mutating func set(_ answer: OperatorAnswer) {
        switch answer {
        case .allow:
            record.decide(.authorizedWhenInUse)
        case .once:
            if use.isInUse { record.decide(.authorizedWhenInUse, isOnce: true) }
        case .keep:
            if record.isProvisional {
                record.isAlwaysAnswered = true
                record.decide(.authorizedWhenInUse)
            }
        case .deny:
            record.decide(.denied)
        case .always:
            record.decide(.authorizedAlways)
        case .on, .off: break
        case .reset:
            record = AuthorizationRecord()
            hasTemporaryFullAccuracy = false
        }
    }

    mutating func setAccuracy(_ accuracy: AccuracyAuthorization) {
        isUnreadable = false
        record.accuracy = accuracy
        hasTemporaryFullAccuracy = false
    }

    mutating func setMayBeWoken(_ mayBeWoken: Bool) {
        isUnreadable = false
        record.mayBeWoken = mayBeWoken
    }

    /// Takes the client's record, which an earlier run of the daemon stored; nil for a record that cannot be read.
    ///
    /// A restart of the daemon ends the client's use, so an authorization for one use lasts only 5 s more
    /// (`graceOfUse`).
    ///
    /// This is `restore` in the Promela model authorization.pml.
    mutating func restore(_ stored: AuthorizationRecord?, at instant: MonotonicInstant) {
        guard !isUnreadable else { return }
        isUnreadable = stored == nil
        record = stored ?? .unreadable
        told.record = stored
        if record.isOnce, !use.isInUse { use.lingerAfterRestart(at: instant) }
    }

    /// Takes the client's changed manifest; if its purpose texts have changed, forgets the warnings about missing
    /// texts.
    mutating func change(to manifest: ClientManifest) {
        if manifest.purposes != self.manifest.purposes { notes.removeAll { $0 != .noAgent } }
        self.manifest = manifest
    }
}
