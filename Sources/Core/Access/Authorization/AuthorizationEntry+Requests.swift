internal import ClientVocabulary
internal import Parts

/// The effects of a client's requests.
///
/// A request for authorization that is not allowed has no effect that the client could see: no answer and no error. A
/// request for full accuracy that is not allowed is answered with an error.
extension AuthorizationEntry {
    private typealias Asker = AuthorizationQuestion.Asker

    private static let maximumNotes = 8

    mutating func request(_ authorization: AuthorizationRequest, of connection: ClientID, session: Int64) {
        guard surroundings.servicesEnabled, use.isInUse else { return }
        let asker = Asker(connection: connection, session: session, wantsAlways: authorization == .always)
        switch (ownStatus, authorization) {
        case (.notDetermined, .whenInUse):
            if hasPurpose(for: .whenInUse) { _ = ask(.whenInUse, asker) }
        case (.notDetermined, .atStart):
            guard manifest.asksAtStart else {
                _ = note(.startedUnasked)
                return
            }
            if use.isForeground, hasPurpose(for: .whenInUse) { _ = ask(.whenInUse, asker) }
        case (.notDetermined, .always):
            if mayAskForAlways, hasPurpose(for: .always) { _ = ask(.whenInUse, asker) }
        case (.authorizedWhenInUse, .always):
            if mayAskForAlways, hasPurpose(for: .always) { _ = ask(.always, asker) }
        case (.authorizedWhenInUse, .whenInUse), (.authorizedWhenInUse, .atStart), (.restricted, _), (.denied, _),
            (.authorizedAlways, _):
            return
        }
    }

    /// Handles the start of a service by the client: if location services are off, the user is asked whether to switch
    /// them on.
    mutating func start(of connection: ClientID, session: Int64) {
        guard use.isForeground, mayAskForServices, hasPurpose(for: .whenInUse) else { return }
        _ = ask(.services, Asker(connection: connection, session: session))
    }

    /// Whether the user can be asked to switch location services on: until the user says that they stay off, and never
    /// for a denied client.
    var mayAskForServices: Bool {
        !surroundings.servicesEnabled && !isLeftOff && (ownStatus == .notDetermined || ownStatus.isAuthorized)
    }

    /// Whether the user can still be asked for authorization at all times: only once, and not while the client is
    /// authorized for one use.
    var mayAskForAlways: Bool { rule.finalStatus == nil && !record.isAlwaysAnswered && !record.isOnce }

    private mutating func hasPurpose(for authorization: AuthorizationRequest) -> Bool {
        guard manifest.purposes.whenInUse != nil else { return note(.missingWhenInUsePurpose) }
        guard authorization != .always || manifest.purposes.always != nil else { return note(.missingAlwaysPurpose) }
        return true
    }

    /// Adds a message for the operator's log, unless the same one was added before; returns false, so that a check can
    /// add its message and fail in one statement.
    private mutating func note(_ note: AuthorizationNote) -> Bool {
        if notes.count < AuthorizationEntry.maximumNotes, !notes.contains(note) {
            notes.append(note)
            outcomes.append(.note(client: client, note))
        }
        return false
    }

    mutating func requestFullAccuracy(of connection: ClientID, id: String?, purposeKey: String) {
        guard mayAskForFullAccuracy(purposeKey),
            ask(.fullAccuracy(purposeKey: purposeKey), Asker(connection: connection, session: nil, requestID: id))
        else {
            outcomes.append(
                .fullAccuracyAnswered(connection, id: id, errorCode: .promptDeclined))
            return
        }
    }

    private mutating func mayAskForFullAccuracy(_ purposeKey: String) -> Bool {
        guard surroundings.servicesEnabled, use.isForeground, lacksFullAccuracy else { return false }
        guard manifest.purposes.temporary(purposeKey) != nil else { return note(.unknownPurposeKey(purposeKey)) }
        return true
    }

    /// Whether the client is authorized without full accuracy, and the user can grant full accuracy for a while.
    var lacksFullAccuracy: Bool { ownStatus.isAuthorized && accuracy == .reduced && rule.finalAccuracy == nil }

    /// Adds a question to the user; if the same question waits already, adds the session that asks to this question.
    ///
    /// - Returns: False if a question for full accuracy with another purpose waits, or if too many sessions ask
    ///   already.
    private mutating func ask(_ kind: AuthorizationQuestion.Kind, _ asker: Asker) -> Bool {
        guard let index = queue.questions.firstIndex(where: { $0.kind.standsFor(kind) }) else {
            queue.questions.append(AuthorizationQuestion(kind: kind, askers: [asker]))
            return true
        }
        return queue.questions[index].kind == kind && queue.questions[index].join(asker)
    }

    /// Handles an event that waits for the client, which does not run; the client can have it only with authorization
    /// at all times.
    ///
    /// If this authorization is provisional, the user is asked first.
    mutating func eventIsDue() {
        guard isProvisional, surroundings.servicesEnabled, purpose(of: .provisional) != nil else {
            // One effect decides about all events that wait for the client, so the question about them is removed.
            queue.questions.removeAll { $0.kind == .provisional }
            return settleEvent()
        }
        if !queue.questions.contains(where: { $0.kind == .provisional }) {
            queue.questions.append(AuthorizationQuestion(kind: .provisional, askers: []))
        }
    }

    /// Appends the effect that says, by the client's present rights, whether its waiting events may be delivered.
    mutating func settleEvent() {
        outcomes.append(
            .provisionalSettled(client: client, mayDeliver: rights.status == .authorizedAlways && !isProvisional))
    }

    /// Removes a session from the questions that it asked; if `session` is nil, removes all sessions of the connection.
    mutating func withdraw(_ connection: ClientID, session: Int64?) {
        for index in queue.questions.indices {
            let question = queue.questions[index]
            let isLeaving = { (asker: AuthorizationQuestion.Asker) in
                asker.connection == connection && (session == nil || asker.session == session)
            }
            if case .fullAccuracy = question.kind, use.has(connection) {
                for asker in question.askers where isLeaving(asker) { tell(asker, isShown: isFullAccuracyShown) }
            }
            queue.questions[index].askers.removeAll(where: isLeaving)
        }
    }

    /// Reports to a connection that its request for full accuracy has ended.
    mutating func tell(_ asker: AuthorizationQuestion.Asker, isShown: Bool) {
        outcomes.append(
            .fullAccuracyAnswered(
                asker.connection, id: asker.requestID, errorCode: isShown ? nil : .promptDeclined))
    }

    /// Whether the user is being shown the question for full accuracy: an agent is connected and was sent it.
    var isFullAccuracyShown: Bool { told.prompt?.kind == .fullAccuracy && surroundings.agents > 0 }
}

extension AuthorizationQuestion.Kind {
    /// Whether two questions exclude each other: they are equal, or both are about full accuracy, so that only one of
    /// them can wait.
    func standsFor(_ other: AuthorizationQuestion.Kind) -> Bool {
        if case .fullAccuracy = self, case .fullAccuracy = other { return true }
        return self == other
    }
}
