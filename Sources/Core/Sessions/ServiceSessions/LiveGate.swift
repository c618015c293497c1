/// Whether a live watch may flow, and why it may not.
public struct LiveGate: Sendable, Equatable {
    public let flows: Bool
    /// The wire's `liveDiagnostics`; a limited accuracy is said while it flows too.
    public let diagnostics: SessionDiagnostics

    /// - Parameter sessions: All that the client holds; while it follows live updates the library holds an implicit one.
    public init(of sessions: ServiceSessions, under conditions: ClientConditions) {
        let lacksService = conditions.requiresServiceSession && !sessions.holdsExplicitSession
        // Always is of effect only with a session for it; without one it is as when in use.
        let mayFlow =
            conditions.isInUse || conditions.status == .authorizedAlways && sessions.holdsAlways
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService { diagnostics.insert(.serviceSessionRequired) }
        if !mayFlow, conditions.refusal ?? [] == [] { diagnostics.insert(.insufficientlyInUse) }
        flows = conditions.refusal == nil && mayFlow && !lacksService
        self.diagnostics = diagnostics
    }
}
