internal import ClientVocabulary

/// Whether a client's live updates (`CLLocationUpdate`) are delivered, and if not, the reasons.
public struct LiveGate: Sendable, Equatable {
    public let flows: Bool
    /// The flags of the protocol's event `liveDiagnostics`; a limited accuracy is reported even while updates are
    /// delivered.
    public let diagnostics: SessionDiagnostics

    /// - Parameter sessions: All service sessions of the client. While the client follows live updates, the client
    ///   library holds an implicit session.
    init(of sessions: ServiceSessions, under conditions: ClientConditions) {
        let lacksService = conditions.requiresServiceSession && !sessions.holdsExplicitSession
        // Always authorization takes effect only with a service session for Always; without one, the client counts as
        // authorized only while in use.
        let mayFlow =
            conditions.isInUse || conditions.status == .authorizedAlways && sessions.holdsAlways
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService { diagnostics.insert(.serviceSessionRequired) }
        if !mayFlow, conditions.refusal ?? [] == [] { diagnostics.insert(.insufficientlyInUse) }
        flows = conditions.refusal == nil && mayFlow && !lacksService
        self.diagnostics = diagnostics
    }
}
