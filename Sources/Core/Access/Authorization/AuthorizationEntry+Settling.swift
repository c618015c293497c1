internal import ClientVocabulary
internal import SextantUnits

/// The effects that follow from a change of a client's authorization.
extension AuthorizationEntry {
    /// A client's state, as the effects have last reported it.
    struct Told: Sendable, Equatable {
        /// The stored decisions about the client; nil if the stored record cannot be read.
        var record: AuthorizationRecord? = AuthorizationRecord()
        var rights: ClientRights
        var servicesEnabled: Bool
        var prompt: Prompt?
    }

    /// Appends an effect for everything that differs from the client's state last reported.
    mutating func settle(at instant: MonotonicInstant, into effects: inout [AuthorizationEffect]) {
        if surroundings.servicesEnabled { isLeftOff = false }
        endWithUse()
        dropQuestions()
        queue.pause(at: instant)
        let told = self.told
        self.told = Told(
            record: isUnreadable ? nil : record, rights: rights, servicesEnabled: surroundings.servicesEnabled,
            prompt: prompt)
        tellRecord(after: told, &effects)
        tellRights(after: told, &effects)
        effects += outcomes
        outcomes.removeAll()
        tellPrompt(after: told, &effects)
    }

    /// Ends the rights that were given for one use, if the client is no longer in use.
    private mutating func endWithUse() {
        if !use.isInUse {
            if record.isOnce { record.decide(.notDetermined) }
            hasTemporaryFullAccuracy = false
        }
        if !ownStatus.isAuthorized { hasTemporaryFullAccuracy = false }
    }

    /// Removes the questions whose askers have all gone, or which a decision or a changed manifest has made needless.
    private mutating func dropQuestions() {
        let asked = queue.questions
        for question in asked where !isOpen(question) {
            queue.questions.removeAll { $0.kind == question.kind }
            if question.wasWithdrawn, told.prompt?.kind == question.kind.promptKind { queue.mustPause = true }
            switch question.kind {
            case .whenInUse, .always, .services: continue
            case .provisional: settleEvent()
            case .fullAccuracy: for asker in question.askers { tell(asker, isShown: isFullAccuracyShown) }
            }
        }
    }

    private func isOpen(_ question: AuthorizationQuestion) -> Bool {
        guard purpose(of: question.kind) != nil else { return false }
        return switch question.kind {
        case .whenInUse: ownStatus == .notDetermined && !question.askers.isEmpty
        case .always: ownStatus == .authorizedWhenInUse && mayAskForAlways && !question.askers.isEmpty
        case .provisional: isProvisional
        case .fullAccuracy: lacksFullAccuracy && !question.askers.isEmpty
        case .services: mayAskForServices && !question.askers.isEmpty
        }
    }

    private func tellRecord(after told: Told, _ effects: inout [AuthorizationEffect]) {
        guard self.told.record != told.record else { return }
        // If stored decisions were lost, an empty record is stored too: it overrides an old row that may be found
        // later.
        let isNone = record == AuthorizationRecord() && !surroundings.isInDoubt
        effects.append(.keep(client: client, isNone ? nil : record))
    }

    private func tellRights(after told: Told, _ effects: inout [AuthorizationEffect]) {
        let (new, old) = (self.told, told)
        let isSame =
            new.rights.status == old.rights.status && new.rights.accuracy == old.rights.accuracy
            && new.servicesEnabled == old.servicesEnabled
        if !isSame { effects.append(.changed(client: client)) }
        if new.rights.isInUse != old.rights.isInUse {
            effects.append(.useChanged(client: client, isInUse: new.rights.isInUse))
        }
    }

    private mutating func tellPrompt(after old: Told, _ effects: inout [AuthorizationEffect]) {
        if old.prompt != told.prompt {
            if old.prompt != nil { effects.append(.promptWithdrawn(client: client)) }
            if let prompt = told.prompt { effects.append(.promptRaised(prompt)) }
        }
        guard surroundings.agents == 0 else { return notes.removeAll { $0 == .noAgent } }
        if told.prompt != nil, !notes.contains(.noAgent) {
            notes.append(.noAgent)
            effects.append(.note(client: client, .noAgent))
        }
    }

    /// Appends the effects that end everything about a client whose manifest has gone.
    mutating func close(into effects: inout [AuthorizationEffect]) {
        effects.append(.keep(client: client, nil))
        let unknown = ClientRights(isEnabled: surroundings.servicesEnabled)
        if told.rights.status != unknown.status { effects.append(.changed(client: client)) }
        if told.rights.isInUse { effects.append(.useChanged(client: client, isInUse: false)) }
        for question in queue.questions {
            for asker in question.askers where asker.session == nil { tell(asker, isShown: isFullAccuracyShown) }
            if question.kind == .provisional {
                outcomes.append(.provisionalSettled(client: client, mayDeliver: false))
            }
        }
        effects += outcomes
        if told.prompt != nil { effects.append(.promptWithdrawn(client: client)) }
    }
}
