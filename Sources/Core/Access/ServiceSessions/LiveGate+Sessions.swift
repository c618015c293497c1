internal import ClientVocabulary
internal import Parts

extension LiveGate {
    /// - Parameter sessions: All service sessions of the client, including the implicit one that the client library
    ///   holds while the client follows live updates.
    init(of sessions: ServiceSessions, under conditions: ClientConditions) {
        let lacksService = conditions.requiresServiceSession && !sessions.holdsExplicitSession
        // Always authorization takes effect only with a service session for Always; without one, the client counts as
        // authorized only while in use.
        let mayFlow =
            conditions.isInUse || conditions.status == .authorizedAlways && sessions.holdsAlways
        var diagnostics = conditions.refusal ?? conditions.limits
        if lacksService { diagnostics.insert(.serviceSessionRequired) }
        if !mayFlow, conditions.refusal ?? [] == [] { diagnostics.insert(.insufficientlyInUse) }
        self.init(flows: conditions.refusal == nil && mayFlow && !lacksService, diagnostics: diagnostics)
    }
}
