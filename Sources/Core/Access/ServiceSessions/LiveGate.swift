internal import ClientVocabulary

/// Whether live updates (`CLLocationUpdate`) are delivered, and the reasons why not.
public struct LiveGate: Sendable, Equatable {
    public let flows: Bool
    /// The `liveDiagnostics` of the protocol; a limited accuracy is reported even while updates are delivered.
    public let diagnostics: SessionDiagnostics

    /// - Parameter sessions: All service sessions of the client. The client library holds an implicit one while the
    ///   client follows live updates.
    init(of sessions: ServiceSessions, under conditions: ClientConditions) {
        let lacksService = conditions.requiresServiceSession && !sessions.holdsExplicitSession
        // Always takes effect only with a service session for Always; without one, the client counts as authorized when
        // in use.
        let mayFlow =
            conditions.isInUse || conditions.status == .authorizedAlways && sessions.holdsAlways
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService { diagnostics.insert(.serviceSessionRequired) }
        if !mayFlow, conditions.refusal ?? [] == [] { diagnostics.insert(.insufficientlyInUse) }
        flows = conditions.refusal == nil && mayFlow && !lacksService
        self.diagnostics = diagnostics
    }
}
