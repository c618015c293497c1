/// Whether a live watch may deliver updates, and the reasons why not.
public struct LiveGate: Sendable, Equatable {
    public let flows: Bool
    /// The wire's `liveDiagnostics`; a limited accuracy is reported even while updates flow.
    public let diagnostics: SessionDiagnostics

    /// - Parameter sessions: All sessions of the client; while it follows live updates, the library holds an implicit
    ///   one.
    init(of sessions: ServiceSessions, under conditions: ClientConditions) {
        let lacksService = conditions.requiresServiceSession && !sessions.holdsExplicitSession
        // Always takes effect only with a session for it; without one, the client counts as authorized while in use.
        let mayFlow =
            conditions.isInUse || conditions.status == .authorizedAlways && sessions.holdsAlways
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService { diagnostics.insert(.serviceSessionRequired) }
        if !mayFlow, conditions.refusal ?? [] == [] { diagnostics.insert(.insufficientlyInUse) }
        flows = conditions.refusal == nil && mayFlow && !lacksService
        self.diagnostics = diagnostics
    }
}
