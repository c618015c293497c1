public import ClientVocabulary

/// Whether a client's live updates (`CLLocationUpdate`) are delivered, and if not, the reasons.
public struct LiveGate: Sendable, Equatable {
    public let flows: Bool
    /// The flags of the protocol's event `liveDiagnostics`; a limited accuracy is reported even while updates are
    /// delivered.
    public let diagnostics: SessionDiagnostics

    public init(flows: Bool, diagnostics: SessionDiagnostics) {
        self.flows = flows
        self.diagnostics = diagnostics
    }
}
