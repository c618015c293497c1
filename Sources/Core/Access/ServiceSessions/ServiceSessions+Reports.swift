internal import ClientProtocol
internal import ClientVocabulary
internal import Parts

/// The effects of a client's sessions on its rights, and the reports about the sessions' state.
extension ServiceSessions {
    /// Whether a background activity session is in effect, so that the client counts as in use and the location
    /// indicator must be on.
    func isBackgroundActive(under conditions: ClientConditions) -> Bool {
        entries.contains { $0.held.kind == .backgroundActivity && report(of: $0, under: conditions).isActive }
    }

    /// Whether a connection holds a background activity session that allows the host to sleep.
    func allowsHostSleep(_ connection: ClientID) -> Bool {
        entries.contains { entry in
            entry.connection == connection && entry.held.kind == .backgroundActivity && entry.held.allowsHostSleep
        }
    }

    /// Whether the client holds a service session that its program made explicitly.
    var holdsExplicitSession: Bool { entries.contains { $0.held.kind == .service && !$0.held.isImplicit } }

    /// Whether the client holds an explicit service session for Always authorization that has taken effect.
    var holdsAlways: Bool {
        entries.contains {
            $0.held.kind == .service && !$0.held.isImplicit && $0.held.authorization == .always && $0.isEstablished
        }
    }

    /// Whether the client holds an explicit service session for Always authorization that has taken effect, or can
    /// resume one.
    var keepsAlways: Bool {
        durable.contains { $0.kind == .service && !$0.isImplicit && $0.authorization == .always }
    }

    /// Whether the client holds an explicit service session that has taken effect, or can resume one.
    private var keepsExplicitSession: Bool { durable.contains { $0.kind == .service && !$0.isImplicit } }

    /// Whether the conditions of the client's `CLMonitor` are watched.
    ///
    /// Always authorization takes effect only with a service session for Always, as for live updates; without one,
    /// conditions are watched while the client is in use. While the client does not run, the sessions that it held when
    /// its process ended count.
    func mayWatchConditions(for rights: ClientRights, requiresServiceSession: Bool) -> Bool {
        guard !requiresServiceSession || keepsExplicitSession else { return false }
        return rights.isInUse || rights.status == .authorizedAlways && keepsAlways
    }

    func report(of entry: Entry, under conditions: ClientConditions) -> SessionReport {
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService(entry, under: conditions) { diagnostics.insert(.serviceSessionRequired) }
        guard conditions.refusal == nil else {
            let waitsForUse = conditions.refusal == [] && entry.held.authorization > .none && !conditions.isInUse
            if waitsForUse { diagnostics.insert(.insufficientlyInUse) }
            return SessionReport(isActive: false, diagnostics: diagnostics)
        }
        if isInsufficientlyInUse(entry, under: conditions) { diagnostics.insert(.insufficientlyInUse) }
        diagnostics.formUnion(refused(to: entry, under: conditions))
        let isActive = diagnostics.isDisjoint(with: [.serviceSessionRequired, .insufficientlyInUse])
        return SessionReport(isActive: isActive, diagnostics: diagnostics)
    }

    /// Whether the session has no effect, because the manifest requires an explicit service session and the client
    /// holds none.
    private func lacksService(_ entry: Entry, under conditions: ClientConditions) -> Bool {
        guard conditions.requiresServiceSession, !holdsExplicitSession else { return false }
        return entry.held.isImplicit || entry.held.kind == .backgroundActivity
    }

    /// Whether the session has no effect, because the client is not sufficiently in use.
    ///
    /// If the manifest has no background mode, background activity never counts as use.
    private func isInsufficientlyInUse(_ entry: Entry, under conditions: ClientConditions) -> Bool {
        guard entry.isEstablished else { return true }
        switch entry.held.kind {
        case .service:
            // An implicit session needs the client to be in use; only an explicit session makes Always authorization
            // effective.
            let isAlways = conditions.status == .authorizedAlways && (holdsAlways || !entry.held.isImplicit)
            return !conditions.isInUse && !isAlways
        case .backgroundActivity: return !conditions.backgroundMode
        }
    }

    /// The diagnostic flags for those of the session's requests that the user was asked about and did not grant.
    private func refused(to entry: Entry, under conditions: ClientConditions) -> SessionDiagnostics {
        guard !conditions.requestInProgress else { return [] }
        var refused: SessionDiagnostics = []
        if entry.held.authorization == .always, conditions.status == .authorizedWhenInUse,
            asked.authorization == .always
        {
            refused.insert(.alwaysAuthorizationDenied)
        }
        if let key = entry.held.fullAccuracyPurposeKey, conditions.accuracy == .reduced,
            asked.purposeKeys.contains(key)
        {
            refused.insert(.fullAccuracyDenied)
        }
        return refused
    }
}
